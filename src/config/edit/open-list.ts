import type { YAMLSeq } from 'yaml';
import { blockList } from './block-list.ts';
import { flowList } from './flow-list.ts';
import type { EditableList } from './list.ts';
import { NotEditable, type Source } from './source.ts';

/** Returns the editable list for a YAML node. `name` describes it in messages. */
export function openList(source: Source, node: YAMLSeq, name: string): EditableList {
  const token = node.srcToken;
  if (token?.type === 'block-seq') return blockList(source, node, token, name);
  if (token?.type === 'flow-collection') return flowList(source.text, token);
  throw new NotEditable(`${name} is not written as a list`);
}
