import { runnerIfReachable } from '../contract/reachability.ts';
import type { StepContext } from '../contract/part.ts';

/** What the first master that was reached and has such a file has in it: what is lost here may still be in use there. */
export async function readFromMasters(ctx: StepContext, path: string): Promise<string | undefined> {
  for (const master of ctx.hosts.withRole('master')) {
    const content = await runnerIfReachable(ctx, master)?.read(path);
    if (content !== undefined) return content;
  }
  return undefined;
}
