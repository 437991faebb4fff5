import type { Cluster } from '../../../config/model/cluster.ts';
import { sh } from '../../../runner/command.ts';
import { DOCKER } from '../../../template/docker.ts';
import { importImages, type ImageStore } from '../shared/import-images.ts';
import { provePods } from '../shared/prove-pods.ts';
import { reverse } from '../../contract/reverse.ts';
import { awaitRuntime } from '../shared/await-runtime.ts';
import { noteOwner } from '../shared/note-owner.ts';
import { noSettings, runtimeSettings, versionsOf, type RuntimeAssets } from '../shared/settings.ts';
import type { Step } from '../../contract/step.ts';
import { clearDocker, clearDockerNetwork } from './clear.ts';
import { installCriDockerd, installDockerPackages, installDockerProgram } from './program.ts';
import { runCriDockerd, runDocker } from './service.ts';

/** Where cri-dockerd answers. */
export const DOCKER_SOCKET: string = DOCKER.socket;

/** What makes a host run containers with docker, in order. */
export function dockerSteps(cluster: Cluster, assets: RuntimeAssets): readonly Step[] {
  const settings = runtimeSettings(cluster, assets);
  const { fromPackages, sandboxImage } = settings;
  const versions = versionsOf(assets, ['docker', 'cri-dockerd']);
  return [
    noteOwner('docker', WAS_HERE),
    fromPackages ? installDockerPackages(assets) : installDockerProgram(assets),
    runDocker(settings),
    installCriDockerd(assets),
    runCriDockerd(sandboxImage),
    awaitRuntime('docker'),
    importImages(dockerImages, assets.images),
    provePods('docker', `${[...versions, sandboxImage].join('\n')}\n`),
  ];
}

const WAS_HERE = sh`[ -n "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || [ -d /sys/class/net/docker0 ]`;

const dockerImages: ImageStore = {
  runtime: 'docker',
  has: (ref) =>
    sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v docker)" ] && timeout 20 docker image inspect ${ref} >/dev/null 2>&1`,
  load: (path) => sh`PATH=/usr/local/bin:$PATH docker load -i ${path}`,
};

/** What takes it from a host again, the last first; what is not ours is left alone. */
export const dockerStepsToUndo = (cluster: Cluster): readonly Step[] => [
  clearDocker,
  ...[
    provePods('docker', ''),
    runCriDockerd(''),
    installCriDockerd(),
    runDocker(noSettings(cluster)),
    installDockerProgram(),
    installDockerPackages({ offline: false }),
  ].map(reverse),
  clearDockerNetwork,
  reverse(noteOwner('docker', WAS_HERE)),
];
