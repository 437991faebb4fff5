import type { Registry } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { configureHarbor } from '../../step/registry/harbor/config.ts';
import { harborSteps } from '../../step/registry/harbor/steps.ts';
import { makeCertificates } from '../../step/registry/certificates.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

/** Harbor, and what it is made from. */
export interface HarborInput {
  readonly registry: Extract<Registry, { readonly type: 'harbor' }>;
  readonly assets: Assets;
}

export const installHarbor = defineTask<HarborInput>({
  name: 'install-harbor',
  title: 'Run harbor on the registry host',
  plan: ({ cluster, hosts, local }, { registry, assets }) => {
    const version = assets.files.find(({ name }) => name === 'harbor')?.version ?? registry.version ?? '';
    const harbor = { ...registry, version };
    return sequence(
      on(local, makeCertificates(cluster, registry, assets.folder)),
      on(local, configureHarbor(harbor, assets)),
      chain(hosts.withRole('registry').slice(0, 1), harborSteps(harbor, assets)),
      on(local, verifyRegistry(registry, assets)),
    );
  },
});
