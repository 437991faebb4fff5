import type { Programs } from '../../transfer/install-program.ts';
import type { Ways } from '../own-registry.ts';
import { clearStaging } from '../../transfer/staging.ts';
import type { Step } from '../../contract/step.ts';
import type { HarborRegistry } from './config.ts';
import { harborData, installCompose, installHarborFiles, needDocker, runHarbor } from './install.ts';

/** What makes a host run harbor, in order. */
export const harborSteps = ({ dataDir, trivy }: HarborRegistry, assets: Programs & Ways): readonly Step[] => [
  needDocker,
  installCompose(assets),
  installHarborFiles(assets),
  harborData(dataDir),
  runHarbor(trivy, assets),
  clearStaging,
];

/** All that was done to the host, the last first, whatever the file says now; its images stay if they are to be kept. */
export const harborStepsToUndo = ({ preserveData }: { readonly preserveData: boolean }): readonly Step[] => [
  runHarbor(false, { credentials: {}, folder: '' }),
  ...(preserveData ? [] : [harborData()]),
  installHarborFiles(),
  installCompose(),
];
