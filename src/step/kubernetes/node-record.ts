import { dirname, join } from 'node:path/posix';
import type { Cluster } from '../../config/model/cluster.ts';
import {
  parseImmutable,
  immutableFields,
  formatImmutable,
  type ImmutableFields,
} from '../../config/model/immutable.ts';
import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { configurationPath } from './applied-configuration.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/**
 * Records on the host that it became a node, with the immutable fields of the cluster file. From then on kubexm never
 * resets the host automatically: a node that seems to be missing may only be unhealthy.
 */
export const recordedNode = (cluster: Cluster): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'node-record:host',
    summary: 'record that the host is a node',
    formerly: ['note that it is a node'],
    precheck: async (ctx) => ((await isRecordedNode(ctx)) ? DONE : { done: false, because: 'not recorded yet' }),
    run: (ctx) =>
      ctx.runner.write({
        path: recordPath(ctx),
        content: formatImmutable(immutableFields(cluster)),
        mode: 0o600,
        owner: 'root:root',
      }),
    async rollback(ctx) {
      await removeNodeRecord(ctx);
    },
  });

export const isRecordedNode = async (ctx: StepContext): Promise<boolean> =>
  (await ctx.runner.stat(recordPath(ctx))) !== undefined;

/** Runs the first command on a host that became a node, the second one on others. */
export const ifRecordedNode = (ctx: StepContext, recorded: Command, other: Command): Command =>
  sh`if [ -e ${recordPath(ctx)} ]; then
${recorded}
else
${other}
fi`;

/** The immutable fields of the cluster file when the host became a node; undefined if it is not a node. */
export async function recordedFields(ctx: StepContext): Promise<ImmutableFields | undefined> {
  const text = await ctx.runner.read(recordPath(ctx));
  return text === undefined ? undefined : parseImmutable(text);
}

export async function removeNodeRecord(ctx: StepContext): Promise<void> {
  await ctx.runner.run(sh`rm -f -- ${recordPath(ctx)} ${configurationPath(ctx)}`);
}

const recordPath = ({ originDir }: StepContext) => join(dirname(originDir), 'node');
