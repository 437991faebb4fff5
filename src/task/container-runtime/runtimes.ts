import type { ContainerRuntimeName } from '../../config/model/container-runtimes.ts';
import { containerd } from './containerd.ts';
import { crio } from './crio.ts';
import { docker } from './docker.ts';
import { isulad } from './isulad.ts';
import type { RuntimeTasks } from './runtime-tasks.ts';

/** Every container runtime, in the order they are uninstalled: Docker uses containerd, so containerd goes last. */
export const RUNTIMES: Readonly<Record<ContainerRuntimeName, RuntimeTasks>> = {
  docker,
  'cri-o': crio,
  isulad,
  containerd,
};
