import type { ImageItem } from '../../artifact/item.ts';
import type { Cluster } from '../../config/cluster.ts';
import { registryHosts } from '../../config/registry-hosts.ts';
import { CONTAINERD } from '../../template/containerd.ts';
import { reverse } from '../reverse.ts';
import type { Programs } from '../install-program.ts';
import type { Step } from '../step.ts';
import { clearContainerd } from './clear.ts';
import { importImages } from './image.ts';
import { installContainerdProgram } from './program.ts';
import { proveContainerd } from './prove.ts';
import type { Accesses } from './registries.ts';
import { awaitContainerd, runContainerd } from './service.ts';

/** What containerd is installed from. */
export interface ContainerdAssets extends Programs {
  readonly images: readonly ImageItem[];
  readonly accesses: Accesses;
}

/** Where it answers. */
export const CONTAINERD_SOCKET: string = CONTAINERD.socket;

/** What makes a host run containers with containerd, in order. */
export function containerdSteps(cluster: Cluster, assets: ContainerdAssets): readonly Step[] {
  const pause = assets.images.filter(({ name }) => name === 'pause');
  const versionOf = (name: string) => assets.files.find((file) => file.name === name)?.version ?? '';
  const sandboxImage = pause[0]?.ref ?? '';
  const versions = ['containerd', 'runc'].map((name) => `${name} ${versionOf(name)}`);
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const { accesses } = assets;
  return [
    installContainerdProgram(assets),
    runContainerd({
      version: versionOf('containerd'),
      dataDir,
      sandboxImage,
      registries: registryHosts(cluster),
      accesses,
    }),
    awaitContainerd,
    importImages(pause),
    proveContainerd(`${[...versions, sandboxImage].join('\n')}\n`),
  ];
}

/** What takes it from a host again, the last first; what is not ours is left alone. */
export function containerdStepsToUndo(cluster: Cluster): readonly Step[] {
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const nothing = { version: '', sandboxImage: '', registries: [], accesses: {} };
  return [
    clearContainerd(dataDir),
    ...[proveContainerd(''), runContainerd({ ...nothing, dataDir }), installContainerdProgram()].map(reverse),
  ];
}
