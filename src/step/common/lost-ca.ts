import type { Role } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { certificatePath, readPair } from '../../pki/store.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A CA stored on this machine, and the path of its certificate on hosts. */
export interface StoredCa {
  readonly folder: string;
  readonly name: string;
  readonly role: Role;
  readonly path: string;
}

/** Refuses to create a CA again that hosts already use: with a second CA they would no longer trust each other. */
export const refuseLostCa = (ca: StoredCa, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    async run(ctx) {
      const { folder, name } = ca;
      const { certificate } = await readPair(folder, name);
      const holder = certificate === undefined ? await holderOf(ctx, ca) : undefined;
      if (holder !== undefined)
        throw fail('PKI_UNUSABLE', {
          file: certificatePath(folder, name),
          reason: `it is missing on this machine, but ${holder} uses certificates issued by it`,
        });
      await part.run(ctx);
    },
  });

async function holderOf(ctx: StepContext, { role, path }: StoredCa): Promise<string | undefined> {
  for (const host of ctx.hosts.withRole(role)) if (await runnerIfReachable(ctx, host)?.stat(path)) return host.name;
  return undefined;
}
