import { Document, isMap, isScalar, visit } from 'yaml';
import { schemaAt } from '../schema/json-schema.ts';

/** The text of a new cluster file: each field with a comment that says what it is. */
export function writeDraft(values: object): string {
  const document = new Document(values, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, pair, ancestors) {
      const path = [...keysOf(ancestors), isScalar(pair.key) ? String(pair.key.value) : ''];
      const about = commentOf(path);
      if (about !== undefined && isScalar(pair.key)) pair.key.commentBefore = ` ${about}`;
      if (isScalar(pair.key) && path.length === 2 && path[0] === 'spec') pair.key.spaceBefore = path[1] !== 'hosts';
    },
  });
  return `${HEAD}${document.toString({ lineWidth: 0 })}${TAIL}`;
}

const HEAD = `# yaml-language-server: $schema=.kubexm/cluster.schema.json
# A cluster of KubeXM. Check it: kubexm validate cluster -f THIS_FILE
`;

const TAIL = `
# Everything else has a default; see them all: kubexm validate cluster -f THIS_FILE -o yaml
`;

/** Keys of the maps that lead to a pair; items of lists count as index 0, and only the first one is commented. */
function keysOf(ancestors: readonly unknown[]): readonly (string | number)[] {
  return ancestors.flatMap((node, index): readonly (string | number)[] => {
    if (typeof node !== 'object' || node === null) return [];
    if ('key' in node && isScalar(node.key)) return [String(node.key.value)];
    if ('items' in node && Array.isArray(node.items) && !isMap(node)) return [node.items.indexOf(ancestors[index + 1])];
    return [];
  });
}

function commentOf(path: readonly (string | number)[]): string | undefined {
  const laterItem = path.some((key) => typeof key === 'number' && key > 0);
  const schema = laterItem ? undefined : schemaAt(path);
  const choices = schema?.enum?.filter((value) => value !== '').join(', ');
  return choices ? `${schema?.description} One of: ${choices}.` : schema?.description;
}
