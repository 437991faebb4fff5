import type { Registry } from '../../config/model/cluster.ts';
import { on } from '../../plan/fragment.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

/** A registry of the user, and how to enter it. */
export interface ExternalRegistryInput {
  readonly registry: Extract<Registry, { readonly type: 'external' }>;
  readonly assets: Assets;
}

export const checkRegistry = defineTask<ExternalRegistryInput>({
  name: 'check-registry',
  title: 'See whether the registry of the user lets us in',
  plan: ({ local }, { registry, assets }) => on(local, verifyRegistry(registry, assets)),
});
