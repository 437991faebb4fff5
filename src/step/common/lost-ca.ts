import type { Role } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { certificatePath, readPair } from '../../pki/store.ts';
import { reachedOf } from '../contract/reached.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** An authority that is kept here, and where hosts have its certificate. */
export interface KeptAuthority {
  readonly folder: string;
  readonly name: string;
  readonly role: Role;
  readonly path: string;
}

/** An authority that hosts have is never made a second time: one after the other they would not know each other any more. */
export const unlessLost = (authority: KeptAuthority, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    async run(ctx) {
      const { folder, name } = authority;
      const { certificate } = await readPair(folder, name);
      const holder = certificate === undefined ? await holderOf(ctx, authority) : undefined;
      if (holder !== undefined)
        throw fail('PKI_UNUSABLE', {
          file: certificatePath(folder, name),
          reason: `it is not here, but ${holder} runs with certificates of it`,
        });
      await part.run(ctx);
    },
  });

async function holderOf(ctx: StepContext, { role, path }: KeptAuthority): Promise<string | undefined> {
  for (const host of ctx.hosts.withRole(role)) if (await reachedOf(ctx, host)?.stat(path)) return host.name;
  return undefined;
}
