import type { Cluster } from '../../../config/model/cluster.ts';
import { registryHosts } from '../../../config/model/registry-hosts.ts';
import { sh } from '../../../runner/command.ts';
import { CONTAINERD } from '../../../template/containerd.ts';
import { importImages } from '../shared/import-images.ts';
import { provePods } from '../shared/prove-pods.ts';
import { pullThere } from '../shared/pull-on-host.ts';
import { reverse } from '../../contract/reverse.ts';
import { awaitRuntime } from '../shared/await-runtime.ts';
import { noteOwner } from '../shared/note-owner.ts';
import { versionsOf, type RuntimeAssets } from '../shared/settings.ts';
import type { Step } from '../../contract/step.ts';
import { clearContainerd } from './clear.ts';
import { containerdImages } from './image-store.ts';
import { installContainerdProgram } from './program.ts';
import { runContainerd } from './service.ts';

/** Where it answers. */
export const CONTAINERD_SOCKET: string = CONTAINERD.socket;

/** What makes a host run containers with containerd, in order. */
export function containerdSteps(cluster: Cluster, assets: RuntimeAssets): readonly Step[] {
  const sandboxImage = assets.images.find(({ name }) => name === 'pause')?.ref ?? '';
  const versions = versionsOf(assets, ['containerd', 'runc']);
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const { credentials, offline } = assets;
  // All hosts at once, instead of one line from here.
  const pulls = cluster.registry.type !== 'none' && !offline;
  return [
    noteOwner('containerd', WAS_HERE),
    installContainerdProgram(assets),
    runContainerd({
      version: assets.files.find(({ name }) => name === 'containerd')?.version ?? '',
      dataDir,
      sandboxImage,
      registries: registryHosts(cluster),
      credentials,
    }),
    awaitRuntime('containerd'),
    importImages(pulls ? { ...containerdImages, pull: pullThere } : containerdImages, assets.images),
    provePods('containerd', `${[...versions, sandboxImage].join('\n')}\n`),
  ];
}

const WAS_HERE = sh`[ -n "$(PATH=/usr/local/bin:$PATH command -v containerd)" ] || [ -S ${CONTAINERD.socket} ]`;

/** What takes it from a host again, the last first; what is not ours is left alone. */
export function containerdStepsToUndo(cluster: Cluster): readonly Step[] {
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const nothing = { version: '', sandboxImage: '', registries: [], credentials: {} };
  return [
    clearContainerd,
    ...[
      provePods('containerd', ''),
      runContainerd({ ...nothing, dataDir }),
      installContainerdProgram(),
      noteOwner('containerd', WAS_HERE),
    ].map(reverse),
  ];
}
