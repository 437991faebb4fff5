import { minorOf } from './version.ts';

/** The values of `kubernetes.containerRuntime.type`. */
export const CONTAINER_RUNTIME_NAMES = ['containerd', 'docker', 'cri-o', 'isulad'] as const;

export type ContainerRuntimeName = (typeof CONTAINER_RUNTIME_NAMES)[number];

/** Host facts that determine package names. */
export interface PackageSystem {
  readonly packageManager: string | undefined;
  readonly os: { readonly id: string };
}

/** Static facts about a container runtime. */
interface ContainerRuntimeFacts {
  /** The CRI endpoint. */
  readonly socket: string;
  /** The default directory for images and containers. */
  readonly dataDir: string;
  /** The supported installation sources. */
  readonly sources: readonly ('release' | 'packages')[];
  /** Returns the package names for a host. */
  readonly packages: (system: PackageSystem) => readonly string[];
  /** The shim processes that keep containers running, as an extended regular expression for the whole process name. */
  readonly shims: string;
  /** The newest supported Kubernetes minor version. */
  readonly newestKubernetes: number;
  /** Kubelet feature gates that the runtime requires, and the first Kubernetes minor version that has them. */
  readonly kubeletGates: Readonly<Record<string, { readonly since: number; readonly enabled: boolean }>>;
}

/** The supported container runtimes. */
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
    // cri-dockerd returns streaming URLs without a scheme. With this gate, the kubelet would use TLS and `kubectl exec`
    // would fail.
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
    // Upstream does not publish release binaries.
    sources: ['packages'],
    packages: () => ['iSulad'],
    shims: 'isulad-shim',
    newestKubernetes: 29,
    kubeletGates: {},
  },
};

/** The cluster settings that select the runtime. */
interface RuntimeChoice {
  readonly kubernetes: {
    readonly containerRuntime: {
      readonly type: ContainerRuntimeName;
      readonly dataDir?: string | undefined;
      readonly from: string;
    };
  };
}

/** The shim processes of all runtimes, as an extended regular expression for the whole process name. */
export const CONTAINER_SHIMS: string = [...new Set(Object.values(CONTAINER_RUNTIMES).map(({ shims }) => shims))].join(
  '|',
);

/** Returns the CRI endpoint of the container runtime. */
export const criSocket = ({ kubernetes: { containerRuntime } }: RuntimeChoice): string =>
  CONTAINER_RUNTIMES[containerRuntime.type].socket;

/** Returns the kubelet feature gates that the container runtime requires. */
export const kubeletGates = ({
  kubernetes: { containerRuntime, version },
}: RuntimeChoice & { readonly kubernetes: { readonly version: string } }): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(CONTAINER_RUNTIMES[containerRuntime.type].kubeletGates)
      .filter(([, { since }]) => minorOf(version) >= since)
      .map(([name, { enabled }]) => [name, enabled]),
  );

/** Returns the directory for images and containers. */
export const runtimeDataDir = ({ kubernetes: { containerRuntime } }: RuntimeChoice): string =>
  containerRuntime.dataDir ?? CONTAINER_RUNTIMES[containerRuntime.type].dataDir;

/** Returns the names of the container runtime packages to install on a host. */
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
