import type { Cluster } from '../../config/cluster.ts';
import { registryHosts } from '../../config/registry-hosts.ts';
import { CONTAINERD } from '../../template/containerd.ts';
import { importImages } from '../import-images.ts';
import { provePods } from '../prove-pods.ts';
import { reverse } from '../reverse.ts';
import { awaitRuntime } from '../runtime-answers.ts';
import { versionsOf, type RuntimeAssets } from '../runtime-settings.ts';
import type { Step } from '../step.ts';
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
  const { accesses } = assets;
  return [
    installContainerdProgram(assets),
    runContainerd({
      version: assets.files.find(({ name }) => name === 'containerd')?.version ?? '',
      dataDir,
      sandboxImage,
      registries: registryHosts(cluster),
      accesses,
    }),
    awaitRuntime('containerd'),
    importImages(containerdImages, assets.images),
    provePods('containerd', `${[...versions, sandboxImage].join('\n')}\n`),
  ];
}

/** What takes it from a host again, the last first; what is not ours is left alone. */
export function containerdStepsToUndo(cluster: Cluster): readonly Step[] {
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const nothing = { version: '', sandboxImage: '', registries: [], accesses: {} };
  return [
    clearContainerd(dataDir),
    ...[provePods('containerd', ''), runContainerd({ ...nothing, dataDir }), installContainerdProgram()].map(reverse),
  ];
}
