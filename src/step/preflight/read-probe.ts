import { rowsOf, sectionsIn } from '../../runner/facts/sections.ts';
import type { Leftover, Listener, ModuleState, PortState, Probe, VipResponses } from './probe/probe.ts';

/** Reads what the script of the probe printed; undefined when it is not whole. */
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
    resolvers: resolversIn(section('resolv.conf'), section('answers')),
    ownAddresses: lines('own-addresses'),
    foundNames: new Set(lines('names')),
    leftovers: lines('leftovers').flatMap(leftoverIn),
    clusters: lines('clusters'),
    syncedWrites: lines('synced-writes').map(Number).filter(Number.isFinite),
    xfsWithoutTypes: lines('xfs').includes('ftype=0'),
    vip: vipIn(section('answers'), text.includes('\n== neighbours\n') ? section('neighbours') : undefined),
    ports: portsIn(section('listener')),
    listener: listenerIn(section('listener')),
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

function resolversIn(conf: string, answers: string): Probe['resolvers'] {
  if (conf.trim() === 'absent') return undefined;
  const answered = new Set([...answers.matchAll(/^resolver (\S+)$/gm)].map((match) => match[1]));
  return [...conf.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map(([, address = '']) => ({
    address,
    answers: answered.has(address),
  }));
}

function leftoverIn(line: string): readonly Leftover[] {
  const [word = '', name = '', owner = ''] = line.split('\t');
  const kind = LEFTOVER_KINDS.find((each) => each === word);
  return kind ? [{ kind, name, owner: owner.trim() }] : [];
}

const LEFTOVER_KINDS = ['folder', 'program', 'unit', 'process', 'containers', 'rules'] as const;

function vipIn(answers: string, neighbours: string | undefined): VipResponses | undefined {
  if (neighbours === undefined) return undefined;
  return {
    pings: /^vip pings$/m.test(answers),
    mac: /lladdr ([0-9a-f:]+)/.exec(neighbours)?.[1],
    connects: /^vip connects$/m.test(answers),
  };
}

function portsIn(text: string): readonly PortState[] {
  const holders = new Map(
    [...text.matchAll(/^holder (\w+ \d+) (\d+) (\S+) ?(\S*)$/gm)].map(
      ([, port = '', pid, process = '', unit = '']) =>
        [port, { pid: Number(pid), process, unit: unit || undefined }] as const,
    ),
  );
  return rowsOf(text).flatMap(([kind, port, state, ...reason]) => {
    const known = PORT_STATES.find((each) => each === state);
    if ((kind !== 'tcp' && kind !== 'udp') || known === undefined) return [];
    const holder = holders.get(`${kind} ${port}`);
    return [{ protocol: kind, port: Number(port), state: known, reason: reason.join(' '), holder }];
  });
}

const PORT_STATES = ['free', 'taken', 'refused'] as const;

function listenerIn(text: string): Listener | undefined {
  const program = /^program (\S+)$/m.exec(text)?.[1];
  const control = /^control (\d+)$/m.exec(text)?.[1];
  return program === undefined || control === undefined ? undefined : { program, control: Number(control) };
}
