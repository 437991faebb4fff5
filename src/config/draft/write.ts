import { Document, isMap, isScalar, visit } from 'yaml';
import { schemaAt } from '../schema/json-schema.ts';

/** Writes a new cluster file with the description of each field as a comment. */
export function writeDraft(values: object): string {
  const document = new Document(values, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, pair, ancestors) {
      const path = [...keysOf(ancestors), isScalar(pair.key) ? String(pair.key.value) : ''];
      const comment = commentOf(path);
      if (comment !== undefined && isScalar(pair.key)) pair.key.commentBefore = ` ${comment}`;
      if (isScalar(pair.key) && path.length === 2 && path[0] === 'spec') pair.key.spaceBefore = path[1] !== 'hosts';
    },
  });
  return `${HEAD}${document.toString({ lineWidth: 0 })}${TAIL}`;
}

const HEAD = `# yaml-language-server: $schema=.kubexm/cluster.schema.json
# KubeXM cluster file. Check it with: kubexm validate cluster -f THIS_FILE
`;

const TAIL = `
# All other fields have defaults. Show them with: kubexm validate cluster -f THIS_FILE -o yaml
`;

/** Returns the path of the map that contains a pair. */
function keysOf(ancestors: readonly unknown[]): readonly (string | number)[] {
  return ancestors.flatMap((node, index): readonly (string | number)[] => {
    if (typeof node !== 'object' || node === null) return [];
    if ('key' in node && isScalar(node.key)) return [String(node.key.value)];
    if ('items' in node && Array.isArray(node.items) && !isMap(node)) return [node.items.indexOf(ancestors[index + 1])];
    return [];
  });
}

/** Returns the comment for a field. Only the first list item gets comments. */
function commentOf(path: readonly (string | number)[]): string | undefined {
  const laterItem = path.some((key) => typeof key === 'number' && key > 0);
  const schema = laterItem ? undefined : schemaAt(path);
  const choices = schema?.enum?.filter((value) => value !== '').join(', ');
  return choices ? `${schema?.description} One of: ${choices}.` : schema?.description;
}
