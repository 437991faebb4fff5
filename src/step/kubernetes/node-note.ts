import { dirname, join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { DONE } from '../difference.ts';
import type { GenericStep, StepContext } from '../step.ts';

/**
 * It is noted on the host that it became a node. From then on nothing that kubexm does by itself may reset it: what looks
 * like a node that is not there may be one that is only ill.
 */
export const notedNode: GenericStep = Object.freeze<GenericStep>({
  summary: 'note that it is a node',
  precheck: async (ctx) =>
    (await isNoted(ctx)) ? DONE : { done: false, because: 'it is not noted that it is a node' },
  async run(ctx) {
    const note = noteAt(ctx);
    await ctx.runner.run(sh`umask 077; mkdir -p -- ${dirname(note)} && : >${note}`);
  },
  async rollback(ctx) {
    await forgetNode(ctx);
  },
});

export const isNoted = async (ctx: StepContext): Promise<boolean> => (await ctx.runner.stat(noteAt(ctx))) !== undefined;

export async function forgetNode(ctx: StepContext): Promise<void> {
  await ctx.runner.run(sh`rm -f -- ${noteAt(ctx)}`);
}

const noteAt = ({ originDir }: StepContext) => join(dirname(originDir), 'node');
