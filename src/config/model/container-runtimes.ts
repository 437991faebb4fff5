import { minorOf } from './version.ts';

/** The values of `kubernetes.containerRuntime.type`. */
export const CONTAINER_RUNTIME_NAMES = ['containerd', 'docker', 'cri-o', 'isulad'] as const;

export type ContainerRuntimeName = (typeof CONTAINER_RUNTIME_NAMES)[number];

/** The host facts that determine package names. */
export interface PackageSystem {
  readonly packageManager: string | undefined;
  readonly os: { readonly id: string };
}

/** Facts about a container runtime, except for its steps, artifacts and files. */
interface ContainerRuntimeFacts {
  /** The CRI endpoint. */
  readonly socket: string;
  /** Where it keeps images and containers by default. */
  readonly dataDir: string;
  /** What it can be installed from. */
  readonly sources: readonly ('release' | 'packages')[];
  /** The names of its packages. */
  readonly packages: (system: PackageSystem) => readonly string[];
  /** The processes that keep containers running: an extended regular expression for whole names. */
  readonly shims: string;
  /** The newest supported Kubernetes minor. */
  readonly newestKubernetes: number;
  /** Feature gates of the kubelet that it requires, and the first Kubernetes minor that has them. */
  readonly kubeletGates: Readonly<Record<string, { readonly since: number; readonly enabled: boolean }>>;
}

/** One row per container runtime. */
export const CONTAINER_RUNTIMES: Readonly<Record<ContainerRuntimeName, ContainerRuntimeFacts>> = {
  containerd: {
    socket: 'unix:///run/containerd/containerd.sock',
    dataDir: '/var/lib/containerd',
    sources: ['release'],
    packages: () => [],
    shims: 'containerd-shim[^/]*',
    newestKubernetes: Infinity,
    kubeletGates: {},
  },
  docker: {
    socket: 'unix:///run/cri-dockerd.sock',
    dataDir: '/var/lib/docker',
    sources: ['release', 'packages'],
    packages: ({ packageManager, os }) => {
      if (packageManager === 'apt') return ['docker.io'];
      if (os.id === 'openeuler' || os.id === 'kylin') return ['docker-engine'];
      return ['docker-ce', 'docker-ce-cli', 'containerd.io'];
    },
    shims: 'containerd-shim[^/]*',
    newestKubernetes: Infinity,
    // cri-dockerd returns streaming URLs without a scheme, which the kubelet would connect to over TLS: `kubectl exec` fails.
    kubeletGates: { ExtendWebSocketsToKubelet: { since: 36, enabled: false } },
  },
  'cri-o': {
    socket: 'unix:///var/run/crio/crio.sock',
    dataDir: '/var/lib/containers',
    sources: ['release', 'packages'],
    packages: () => ['cri-o'],
    shims: 'conmon',
    newestKubernetes: Infinity,
    kubeletGates: {},
  },
  isulad: {
    socket: 'unix:///var/run/isulad.sock',
    dataDir: '/var/lib/isulad',
    // It has no release files.
    sources: ['packages'],
    packages: () => ['iSulad'],
    shims: 'isulad-shim',
    newestKubernetes: 29,
    kubeletGates: {},
  },
};

/** The part of a cluster that selects the runtime. */
interface RuntimeChoice {
  readonly kubernetes: {
    readonly containerRuntime: {
      readonly type: ContainerRuntimeName;
      readonly dataDir?: string | undefined;
      readonly from: string;
    };
  };
}

/** The processes of any runtime that keep containers running. */
export const CONTAINER_SHIMS: string = [...new Set(Object.values(CONTAINER_RUNTIMES).map(({ shims }) => shims))].join(
  '|',
);

/** The CRI endpoint of the container runtime. */
export const criSocket = ({ kubernetes: { containerRuntime } }: RuntimeChoice): string =>
  CONTAINER_RUNTIMES[containerRuntime.type].socket;

/** The feature gates of the kubelet that the container runtime requires. */
export const kubeletGates = ({
  kubernetes: { containerRuntime, version },
}: RuntimeChoice & { readonly kubernetes: { readonly version: string } }): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(CONTAINER_RUNTIMES[containerRuntime.type].kubeletGates)
      .filter(([, { since }]) => minorOf(version) >= since)
      .map(([name, { enabled }]) => [name, enabled]),
  );

/** Where the container runtime keeps images and containers. */
export const runtimeDataDir = ({ kubernetes: { containerRuntime } }: RuntimeChoice): string =>
  containerRuntime.dataDir ?? CONTAINER_RUNTIMES[containerRuntime.type].dataDir;

/** The packages of the container runtime that a host installs, by their names on that host. */
export function runtimePackages(
  { kubernetes: { containerRuntime } }: RuntimeChoice,
  { roles }: { readonly roles: readonly string[] },
  system: PackageSystem,
): readonly string[] {
  const { sources, packages } = CONTAINER_RUNTIMES[containerRuntime.type];
  const fromPackages = !sources.includes('release') || containerRuntime.from === 'packages';
  const isNode = roles.includes('master') || roles.includes('worker');
  return isNode && fromPackages ? packages(system) : [];
}
