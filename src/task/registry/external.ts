import type { Registry } from '../../config/model/cluster.ts';
import { on } from '../../plan/fragment.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import { defineTask } from '../task.ts';

export const checkRegistry = defineTask<Extract<Registry, { readonly type: 'external' }>>({
  name: 'check-registry',
  title: 'Log in to the external registry',
  needs: { registryLogins: true },
  plan: ({ assets, local }, registry) => on(local, verifyRegistry(registry, assets)),
});
