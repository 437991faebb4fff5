import type { Registry } from '../../config/model/cluster.ts';
import type { Programs } from '../transfer/install-program.ts';
import { clearStaging } from '../transfer/staging.ts';
import type { Step } from '../contract/step.ts';
import { registryData } from './data.ts';
import { installRegistry } from './install.ts';
import type { Ways } from './own-registry.ts';
import { serveRegistry } from './serve.ts';

type DistributionRegistry = Extract<Registry, { readonly type: 'registry' }>;

/** What makes a host a registry, in order. */
export const distributionSteps = (registry: DistributionRegistry, assets: Programs & Ways): readonly Step[] => [
  installRegistry(assets),
  registryData(registry.dataDir),
  serveRegistry(registry, assets),
  clearStaging,
];

/** All that was done to the host, the last first, whatever the file says now; its images stay if they are to be kept. */
export const distributionStepsToUndo = ({ preserveData }: { readonly preserveData: boolean }): readonly Step[] => [
  serveRegistry(UNKNOWN, { credentials: {}, folder: '' }),
  ...(preserveData ? [] : [registryData()]),
  installRegistry(),
];

/** What was written is kept on the host, and where it stands does not change. */
const UNKNOWN: DistributionRegistry = {
  type: 'registry',
  name: '',
  version: undefined,
  dataDir: '',
  namespaceOverride: '',
  auths: {},
};
