import { dirname, join } from 'node:path/posix';
import type { Cluster } from '../../config/model/cluster.ts';
import {
  parseImmutable,
  immutableFields,
  formatImmutable,
  type ImmutableFields,
} from '../../config/model/immutable.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/**
 * It is noted on the host that it became a node, and by what. From then on nothing that kubexm does by itself may reset
 * it: what looks like a node that is not there may be one that is only ill.
 */
export const recordedNode = (cluster: Cluster): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'node-record:host',
    summary: 'note that it is a node',
    formerly: ['note that it is a node'],
    precheck: async (ctx) =>
      (await isRecordedNode(ctx)) ? DONE : { done: false, because: 'it is not noted that it is a node' },
    run: (ctx) =>
      ctx.runner.write({
        path: noteAt(ctx),
        content: formatImmutable(immutableFields(cluster)),
        mode: 0o600,
        owner: 'root:root',
      }),
    async rollback(ctx) {
      await removeNodeRecord(ctx);
    },
  });

export const isRecordedNode = async (ctx: StepContext): Promise<boolean> => (await ctx.runner.stat(noteAt(ctx))) !== undefined;

/** What the file said when the host became a node; undefined where it is none. */
export async function recordedFields(ctx: StepContext): Promise<ImmutableFields | undefined> {
  const text = await ctx.runner.read(noteAt(ctx));
  return text === undefined ? undefined : parseImmutable(text);
}

export async function removeNodeRecord(ctx: StepContext): Promise<void> {
  await ctx.runner.run(sh`rm -f -- ${noteAt(ctx)}`);
}

const noteAt = ({ originDir }: StepContext) => join(dirname(originDir), 'node');
