/** What was found out about a host for the checks, beside its facts. */
export interface Probe {
  readonly modules: Readonly<Record<string, ModuleState>>;
  /** What the kernel says of settings that packets of pods need; those it does not have are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** Programs that are there. */
  readonly commands: ReadonlySet<string>;
  /** Of `nft`, "1.0.6"; undefined when there is none. */
  readonly nftVersion: string | undefined;
  readonly selinux: 'enforcing' | 'permissive' | 'disabled';
  /** What filters packets now: "firewalld", "ufw", "nftables", "iptables". */
  readonly firewalls: readonly string[];
  readonly timeIsSynchronized: boolean;
  /** The name servers of /etc/resolv.conf; undefined when there is no such file. */
  readonly resolvers: readonly Resolver[] | undefined;
  /** What the host's own name resolves to. */
  readonly ownAddresses: readonly string[];
  /** Names that the host finds. */
  readonly foundNames: ReadonlySet<string>;
  readonly leftovers: readonly Leftover[];
  /** Clusters that kubexm made on this host. */
  readonly clusters: readonly string[];
  /** How many seconds each small synced write took, in the order of time; empty where it was not measured. */
  readonly syncedWrites: readonly number[];
  /** The file system of the container runtime is an XFS that does not tell files from folders. */
  readonly xfsWithoutTypes: boolean;
  readonly vip: VipResponses | undefined;
  readonly ports: readonly PortState[];
  /** Who holds ports open for the other hosts; undefined when nothing on the host can. */
  readonly listener: Listener | undefined;
}

/** Whether the kernel has a module, or can have it. */
export type ModuleState = 'loaded' | 'built-in' | 'loadable' | 'missing';

/** A name server and whether it answered a question. */
export interface Resolver {
  readonly address: string;
  readonly answers: boolean;
}

/** Something of an older installation, and whose it is. */
export interface Leftover {
  readonly kind: 'folder' | 'program' | 'unit' | 'process' | 'containers' | 'rules';
  readonly name: string;
  /** "package kubelet 1.30.1", "root, since 2024-05-02"; empty when nothing says so. */
  readonly owner: string;
}

/** What answers at the virtual IP. */
export interface VipResponses {
  readonly pings: boolean;
  /** Of the machine that says it has the address. */
  readonly mac: string | undefined;
  readonly connects: boolean;
}

/** What came of the wish to listen on a port. */
export interface PortState {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  readonly state: 'free' | 'taken' | 'refused';
  /** What the kernel said. */
  readonly reason: string;
  /** Of a port that is taken, if it is a process. */
  readonly holder: PortHolder | undefined;
}

/** The process that has a port. */
export interface PortHolder {
  readonly pid: number;
  readonly process: string;
  readonly unit: string | undefined;
}

/** A program on the host that answers on the free ports for a while. */
export interface Listener {
  readonly program: string;
  /** Where it can be told on loopback to end. */
  readonly control: number;
}
