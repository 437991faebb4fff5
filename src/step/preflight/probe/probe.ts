import { rowsOf, sectionsIn } from '../../../runner/facts/sections.ts';

/** The properties of a host that the checks need besides its facts. */
export interface Probe {
  readonly modules: Readonly<Record<string, ModuleState>>;
  /** The kernel settings that forwarding of Pod packets depends on; settings that the kernel lacks are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** The required programs that are installed. */
  readonly commands: ReadonlySet<string>;
  /** "1.0.6"; undefined if nft is not installed. */
  readonly nftVersion: string | undefined;
  readonly selinux: 'enforcing' | 'permissive' | 'disabled';
  /** The active packet filters: "firewalld", "ufw", "nftables", "iptables". */
  readonly firewalls: readonly string[];
  readonly timeIsSynchronized: boolean;
  /** The name servers in /etc/resolv.conf; undefined if the file does not exist. */
  readonly resolvers: readonly Resolver[] | undefined;
  /** The addresses that the host's own name resolves to. */
  readonly ownAddresses: readonly string[];
  /** The names, of those that the cluster needs, that the host can resolve. */
  readonly resolvedNames: ReadonlySet<string>;
  readonly leftovers: readonly Leftover[];
  /** The clusters that kubexm created on this host. */
  readonly clusters: readonly string[];
  /** The duration of each small synced write in seconds, in chronological order; empty if not measured. */
  readonly syncedWrites: readonly number[];
  /** Whether the container runtime's file system is XFS with ftype=0. */
  readonly xfsWithoutFtype: boolean;
  readonly vip: VipResponses | undefined;
  readonly ports: readonly PortState[];
  /** The listener that other hosts can connect to; undefined if it could not be started. */
  readonly listener: Listener | undefined;
}

/** Whether a kernel module is available. */
export type ModuleState = 'loaded' | 'built-in' | 'loadable' | 'missing';

/** A name server and whether it answers queries. */
export interface Resolver {
  readonly address: string;
  readonly answers: boolean;
}

/** A remnant of a previous installation. */
export interface Leftover {
  readonly kind: 'folder' | 'program' | 'unit' | 'process' | 'containers' | 'rules';
  readonly name: string;
  /** "package kubelet 1.30.1", "root, since 2024-05-02"; empty if unknown. */
  readonly owner: string;
}

/** The responses from the virtual IP. */
export interface VipResponses {
  readonly pings: boolean;
  /** The MAC address that answered ARP for the virtual IP. */
  readonly mac: string | undefined;
  readonly connects: boolean;
}

/** The result of trying to listen on a port. */
export interface PortState {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  readonly state: 'free' | 'taken' | 'refused';
  /** The error message of the kernel. */
  readonly reason: string;
  /** The process that listens on a taken port; undefined if the kernel itself does. */
  readonly holder: PortHolder | undefined;
}

/** The process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  readonly process: string;
  readonly unit: string | undefined;
}

/** A temporary program on the host that answers on the free ports. */
export interface Listener {
  readonly program: string;
  /** The port that accepts commands from loopback. */
  readonly control: number;
}

/** Parses the output of the probe script; undefined if it is truncated. */
export function parseProbe(text: string): Probe | undefined {
  if (!text.includes('\n== end\n')) return undefined;
  const section = sectionsIn(text);
  const lines = (name: string) =>
    section(name)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  return Object.freeze<Probe>({
    modules: Object.fromEntries(
      rowsOf(section('modules')).map(([name = '', state = '']) => [name, MODULE_STATES[state] ?? 'missing']),
    ),
    settings: Object.fromEntries(rowsOf(section('settings')).map(([name = '', value = '']) => [name, value])),
    commands: new Set(lines('commands')),
    nftVersion: /nftables v(\S+)/.exec(section('nft'))?.[1],
    selinux: SELINUX[section('selinux').trim().toLowerCase()] ?? 'disabled',
    firewalls: lines('firewalls'),
    timeIsSynchronized: lines('time').length > 0,
    resolvers: parseResolvers(section('resolv.conf'), section('answers')),
    ownAddresses: lines('own-addresses'),
    resolvedNames: new Set(lines('names')),
    leftovers: lines('leftovers').flatMap(parseLeftover),
    clusters: lines('clusters'),
    syncedWrites: lines('synced-writes').map(Number).filter(Number.isFinite),
    xfsWithoutFtype: lines('xfs').includes('ftype=0'),
    vip: parseVip(section('answers'), text.includes('\n== neighbours\n') ? section('neighbours') : undefined),
    ports: parsePorts(section('listener')),
    listener: parseListener(section('listener')),
  });
}

const MODULE_STATES: Readonly<Record<string, ModuleState>> = {
  loaded: 'loaded',
  'built-in': 'built-in',
  loadable: 'loadable',
};

const SELINUX: Readonly<Record<string, Probe['selinux']>> = {
  enforcing: 'enforcing',
  '1': 'enforcing',
  permissive: 'permissive',
  '0': 'permissive',
};

function parseResolvers(conf: string, answers: string): Probe['resolvers'] {
  if (conf.trim() === 'absent') return undefined;
  const answered = new Set([...answers.matchAll(/^resolver (\S+)$/gm)].map((match) => match[1]));
  return [...conf.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map(([, address = '']) => ({
    address,
    answers: answered.has(address),
  }));
}

function parseLeftover(line: string): readonly Leftover[] {
  const [word = '', name = '', owner = ''] = line.split('\t');
  const kind = LEFTOVER_KINDS.find((each) => each === word);
  return kind ? [{ kind, name, owner: owner.trim() }] : [];
}

const LEFTOVER_KINDS = ['folder', 'program', 'unit', 'process', 'containers', 'rules'] as const;

function parseVip(answers: string, neighbours: string | undefined): VipResponses | undefined {
  if (neighbours === undefined) return undefined;
  return {
    pings: /^vip pings$/m.test(answers),
    mac: /lladdr ([0-9a-f:]+)/.exec(neighbours)?.[1],
    connects: /^vip connects$/m.test(answers),
  };
}

function parsePorts(text: string): readonly PortState[] {
  const holders = new Map(
    [...text.matchAll(/^holder (\w+ \d+) (\d+) (\S+) ?(\S*)$/gm)].map(
      ([, port = '', pid, process = '', unit = '']) =>
        [port, { pid: Number(pid), process, unit: unit || undefined }] as const,
    ),
  );
  return rowsOf(text).flatMap(([protocol, port, state, ...reason]) => {
    const known = PORT_STATES.find((each) => each === state);
    if ((protocol !== 'tcp' && protocol !== 'udp') || known === undefined) return [];
    const holder = holders.get(`${protocol} ${port}`);
    return [{ protocol, port: Number(port), state: known, reason: reason.join(' '), holder }];
  });
}

const PORT_STATES = ['free', 'taken', 'refused'] as const;

function parseListener(text: string): Listener | undefined {
  const program = /^program (\S+)$/m.exec(text)?.[1];
  const control = /^control (\d+)$/m.exec(text)?.[1];
  return program === undefined || control === undefined ? undefined : { program, control: Number(control) };
}
