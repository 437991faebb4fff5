import { ARCHES, type Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Connector } from '../../connector/connector.ts';
import type { Facts } from '../facts.ts';
import { interfacesIn, routesIn } from './network.ts';
import { familyOf, parseOsRelease } from './os-release.ts';
import { listeningIn } from './ports.ts';
import { FACTS_SCRIPT } from './script.ts';
import { sectionsIn } from './sections.ts';
import { mountsIn } from './storage.ts';
import { servicesIn } from './services.ts';
import { cgroupOf, packageManagerIn, virtualizationIn } from './system.ts';

/** Gathers the facts about a host in one round trip. */
export async function gatherFacts(connector: Connector): Promise<Facts> {
  const { stdout, stderr } = await connector.query(FACTS_SCRIPT);
  // The script reads the clock last, so that the login time is not mistaken for clock skew.
  const receivedAt = Date.now();
  if (!stdout.includes('== end')) {
    throw fail('FACTS_UNREADABLE', { host: connector.host, reason: stderr.trim() || 'the output is incomplete' });
  }
  return factsFrom(connector.host, stdout, receivedAt);
}

/** Parses the output of the facts script. */
export function factsFrom(host: string, text: string, localNow: number): Facts {
  const section = sectionsIn(text);
  const line = (name: string) => section(name).trim();
  const os = parseOsRelease(section('os-release'));
  const packageManager = packageManagerIn(section('programs'));
  const memory = new Map(
    [...section('meminfo').matchAll(/^(\w+):\s+(\d+) kB/gm)].map((m) => [m[1], Number(m[2]) * 1024]),
  );
  return Object.freeze<Facts>({
    hostname: line('hostname'),
    os,
    family: familyOf(os, packageManager),
    arch: archOf(host, line('arch')),
    kernel: line('kernel'),
    cpus: Number(line('cpus')) || 1,
    memoryBytes: memory.get('MemTotal') ?? 0,
    swapBytes: memory.get('SwapTotal') ?? 0,
    mounts: mountsIn(section('mounts'), section('space'), section('inodes')),
    interfaces: interfacesIn(section('addresses'), section('addresses-6'), section('interfaces')),
    routes: routesIn(section('routes'), section('routes-6')),
    cgroup: cgroupOf(section('mounts')),
    init: line('init'),
    virtualization: virtualizationIn(line('virtualization')),
    machineId: line('machine-id'),
    productUuid: line('product-uuid').toLowerCase() || undefined,
    bootId: line('boot-id'),
    clockSkewMs: Math.round(Number(line('clock')) * 1000 - localNow),
    packageManager,
    listening: listeningIn(section('listening'), section('processes')),
    services: servicesIn(section('services')),
  });
}

function archOf(host: string, machine: string): Arch {
  const arch = ARCHES.find((one) => one === (KERNEL_NAMES[machine] ?? machine));
  if (arch === undefined)
    throw fail('FACTS_UNREADABLE', { host, reason: `unsupported architecture ${machine || '(unknown)'}` });
  return arch;
}

const KERNEL_NAMES: Readonly<Record<string, Arch>> = { x86_64: 'amd64', aarch64: 'arm64' };
