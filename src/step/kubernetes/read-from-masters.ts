import { runnerIfReachable } from '../contract/reachability.ts';
import type { StepContext } from '../contract/part.ts';

/** The content of a file on the first reachable master that has it: a file that was lost here may still be in use there. */
export async function readFromMasters(ctx: StepContext, path: string): Promise<string | undefined> {
  for (const master of ctx.hosts.withRole('master')) {
    const content = await runnerIfReachable(ctx, master)?.read(path);
    if (content !== undefined) return content;
  }
  return undefined;
}
