import type { Cluster } from '../../../config/model/cluster.ts';
import { sh } from '../../../runner/command.ts';
import { CRIO } from '../../../template/crio.ts';
import { clearPods } from '../shared/clear-pods.ts';
import { provePods } from '../shared/prove-pods.ts';
import { pullOnHost } from '../shared/pull-on-host.ts';
import { reverse } from '../../contract/reverse.ts';
import { awaitRuntime } from '../shared/await-runtime.ts';
import { noSettings, runtimeSettings, versionsOf, type RuntimeAssets } from '../shared/settings.ts';
import type { Step } from '../../contract/step.ts';
import { installCrioPackages, installCrioPlugins, installCrioProgram } from './program.ts';
import { runCrio } from './service.ts';

/** Where cri-o answers. */
export const CRIO_SOCKET: string = CRIO.socket;

/** What makes a host run containers with cri-o, in order. */
export function crioSteps(cluster: Cluster, assets: RuntimeAssets): readonly Step[] {
  const settings = runtimeSettings(cluster, assets);
  const { fromPackages, sandboxImage } = settings;
  const versions = versionsOf(assets, ['cri-o']);
  return [
    ...(fromPackages ? [installCrioPackages(assets)] : [installCrioPlugins(assets), installCrioProgram(assets)]),
    runCrio(settings),
    awaitRuntime('cri-o'),
    // Its bundle has nothing that takes images from a file.
    pullOnHost('cri-o', assets.images, { cutOff: assets.offline && cluster.registry.type === 'none' }),
    provePods('cri-o', `${[...versions, sandboxImage].join('\n')}\n`),
  ];
}

/** What takes it from a host again, the last first; what is not ours is left alone. */
export const crioStepsToUndo = (cluster: Cluster): readonly Step[] => [
  clearPods({
    name: 'cri-o',
    unit: CRIO.unit,
    ours: sh`grep -qsx '# Written by kubexm.' ${CRIO.config}`,
    // podman has keepers of the same name.
    keepers: '^[^ ]*conmon .*/crio/',
  }),
  ...[
    provePods('cri-o', ''),
    runCrio(noSettings(cluster)),
    installCrioProgram(),
    installCrioPlugins(),
    installCrioPackages({ offline: false }),
  ].map(reverse),
];
