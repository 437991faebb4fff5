import type { Registry } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { makeCertificates } from '../../step/registry/certificates.ts';
import { distributionSteps } from '../../step/registry/steps.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

/** A registry, and what it is made from. */
export interface RegistryInput {
  readonly registry: Extract<Registry, { readonly type: 'registry' }>;
  readonly assets: Assets;
}

export const installRegistry = defineTask<RegistryInput>({
  name: 'install-registry',
  title: 'Run an image registry on the registry host',
  plan: ({ cluster, hosts, local }, { registry, assets }) =>
    sequence(
      on(local, makeCertificates(cluster, registry, assets.folder)),
      chain(hosts.withRole('registry').slice(0, 1), distributionSteps(registry, assets)),
      on(local, verifyRegistry(registry, assets)),
    ),
});
