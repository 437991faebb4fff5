import { checkClusterText } from '../../../../src/config/load/check.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { etcdOn, heldPorts } from '../../../../src/config/model/ports.ts';
import type { Facts } from '../../../../src/runner/facts.ts';
import { forwardingSettings } from '../../../../src/step/host-requirements/kernel-settings.ts';
import type { HostReport, CheckInput } from '../../../../src/step/preflight/check.ts';
import { evaluate } from '../../../../src/step/preflight/evaluate.ts';
import { modulesFor } from '../../../../src/step/preflight/checks/kernel.ts';
import { commandsFor } from '../../../../src/step/preflight/commands.ts';
import { namesToResolve } from '../../../../src/step/preflight/checks/name-resolution.ts';
import type { Probe } from '../../../../src/step/preflight/probe/probe.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

/** Deviations from the default input, by host. */
export interface Deviations {
  readonly file?: readonly string[];
  readonly facts?: Readonly<Record<string, Partial<Facts>>>;
  readonly probe?: Readonly<Record<string, Partial<Probe>>>;
  readonly input?: Partial<CheckInput>;
}

/** A master with etcd and two workers that pass all checks, except for the given deviations. */
export function inputWith({ file = [], facts = {}, probe = {}, input = {} }: Deviations = {}): CheckInput {
  const cluster = clusterWith(file);
  const reports = cluster.hosts.map((host, index): HostReport => {
    const own = { ...goodFacts(host.name, index), ...facts[host.name] };
    return {
      host,
      facts: own,
      probe: { ...goodProbe(cluster, host, own), ...probe[host.name] },
    };
  });
  return { cluster, reports, unreachable: new Map(), attempts: [], lint: [], strict: true, ...input };
}

/** Formats findings as "error PF3 node1". */
export const shortFindings = (input: CheckInput): readonly string[] =>
  evaluate(input).map(({ severity, check, host }) => `${severity} ${check} ${host}`);

export function clusterWith(overrides: readonly string[] = []): Cluster {
  const { cluster, diagnostics } = checkClusterText(FILE, 'cluster.yaml', { overrides });
  if (!cluster) throw new Error(diagnostics.map(({ path, message }) => `${path} ${message}`).join('\n'));
  return cluster;
}

const FILE = `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: test }
spec:
  hosts:
    - { name: node1, address: 192.168.10.11 }
    - { name: node2, address: 192.168.10.12 }
    - { name: node3, address: 192.168.10.13 }
  roleGroups: { etcd: [node1], master: [node1], worker: [node2, node3] }
  kubernetes: { version: v1.35.4 }
  network: { plugin: flannel }
`;

const GIB = 2 ** 30;

const goodFacts = (name: string, index: number): Facts => ({
  ...fakeFacts(name),
  memoryBytes: 8 * GIB,
  machineId: `id-${index}`,
  productUuid: `uuid-${index}`,
  mounts: [
    {
      path: '/',
      type: 'ext4',
      options: ['rw'],
      sizeBytes: 100 * GIB,
      freeBytes: 80 * GIB,
      inodes: 6_000_000,
      freeInodes: 5_000_000,
    },
  ],
  interfaces: [
    { name: 'lo', mac: '00:00:00:00:00:00', mtu: 65_536, addresses: ['127.0.0.1/8'] },
    { name: 'eth0', mac: `52:54:00:00:00:0${index}`, mtu: 1500, addresses: [`192.168.10.1${index + 1}/24`] },
  ],
  routes: [
    { destination: 'default', gateway: '192.168.10.1', interface: 'eth0' },
    { destination: '192.168.10.0/24', gateway: undefined, interface: 'eth0' },
  ],
  services: { chrony: 'active' },
});

const goodProbe = (cluster: Cluster, host: HostReport['host'], facts: Facts): Probe => ({
  modules: Object.fromEntries(modulesFor(cluster, facts).map(({ name }) => [name, 'loadable'])),
  settings: Object.fromEntries(Object.entries(forwardingSettings(cluster)).map(([key, value]) => [key, String(value)])),
  commands: new Set(commandsFor(cluster, host, facts).map(({ name }) => name)),
  nftVersion: '1.0.6',
  selinux: 'disabled',
  firewalls: [],
  timeIsSynchronized: true,
  resolvers: [{ address: '192.168.10.1', answers: true }],
  ownAddresses: [host.internalAddresses[0] ?? facts.hostname],
  resolvedNames: new Set(namesToResolve(cluster)),
  leftovers: [],
  clusters: [],
  syncedWrites: etcdOn(cluster, host) ? Array.from({ length: 200 }, () => 0.002) : [],
  xfsWithoutFtype: false,
  vip: undefined,
  ports: heldPorts(cluster, host).map(({ protocol, port }) => ({
    protocol,
    port,
    state: 'free',
    reason: '',
    holder: undefined,
  })),
  listener: { program: 'perl', control: 10_250 },
});
