import type { Arch } from '../common/host.ts';

/** Facts about a host, gathered in one round trip. */
export interface Facts {
  readonly hostname: string;
  readonly os: {
    readonly id: string;
    readonly idLike: readonly string[];
    readonly versionId: string;
    readonly prettyName: string;
  };
  readonly family: 'debian' | 'rhel' | 'other';
  readonly arch: Arch;
  readonly kernel: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly swapBytes: number;
  readonly mounts: readonly Mount[];
  readonly interfaces: readonly NetworkInterface[];
  readonly routes: readonly Route[];
  readonly cgroup: 'v1' | 'v2' | 'hybrid';
  readonly init: string;
  readonly virtualization: { readonly type: 'none' | 'vm' | 'container'; readonly name: string };
  readonly machineId: string;
  readonly productUuid: string | undefined;
  readonly bootId: string;
  /** Milliseconds by which the host clock is ahead of the local clock. */
  readonly clockSkewMs: number;
  readonly packageManager: 'apt' | 'dnf' | 'yum' | undefined;
  readonly listening: readonly ListeningPort[];
  readonly services: Readonly<Record<string, 'active' | 'inactive' | 'absent'>>;
}

/** Returns the median clock skew of hosts, a reference that a single wrong clock does not affect. */
export const medianClockSkew = (facts: readonly Facts[]): number =>
  facts.map(({ clockSkewMs }) => clockSkewMs).toSorted((a, b) => a - b)[Math.floor(facts.length / 2)] ?? 0;

/** A mounted file system and its free space. */
export interface Mount {
  readonly path: string;
  readonly type: string;
  readonly options: readonly string[];
  readonly sizeBytes: number;
  readonly freeBytes: number;
  readonly inodes: number;
  readonly freeInodes: number;
}

/** A network interface and its addresses, such as "10.0.0.1/24". */
export interface NetworkInterface {
  readonly name: string;
  readonly mac: string;
  readonly mtu: number;
  readonly addresses: readonly string[];
}

/** A route; the destination "default" is the default route. */
export interface Route {
  readonly destination: string;
  readonly gateway: string | undefined;
  readonly interface: string | undefined;
}

/** A listening port and its process. */
export interface ListeningPort {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  readonly process: string | undefined;
}
