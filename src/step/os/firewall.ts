import { isIP } from 'node:net';
import type { Cluster } from '../../config/model/cluster.ts';
import { portsOf, type OpenPorts } from '../../config/model/ports.ts';
import { sh } from '../../runner/command.ts';
import type { ListeningPort } from '../../runner/facts.ts';
import { stoppedService } from '../common/stopped-service.ts';
import { guarded } from '../common/guarded.ts';
import { restored } from '../common/restored.ts';
import type { GenericStep, StepView } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { when } from '../common/when.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { firewalldPorts } from './firewalld.ts';
import { NFTABLES_GUARD, nftablesPorts } from './nftables.ts';
import { ufwPorts } from './ufw.ts';

/** Opens the cluster ports in the host firewall, or disables the firewall. */
export const firewall = (cluster: Cluster) =>
  defineStep({
    name: STEP,
    summary: FIREWALL_SUMMARIES[cluster.system.firewall],
    reversible: true,
    parts: (view) => {
      switch (cluster.system.firewall) {
        case 'disable':
          // The nftables table of kubexm is not managed by any of the services below.
          return [restored(STEP, formerTable), ...disabledServices];
        case 'rules':
          return rules(cluster, view);
        case 'keep':
          return [];
      }
    },
  });

const STEP = 'os.firewall';

const FIREWALL_SUMMARIES = {
  disable: 'Disable the firewall',
  rules: 'Open the required ports in the firewall',
  keep: 'Leave the firewall unchanged',
} as const;

/** Stopping a firewall service also removes its rules. */
const disabledServices: readonly GenericStep[] = ['firewalld', 'ufw', 'nftables', 'iptables', 'ip6tables'].map((name) =>
  stoppedService({ unit: `${name}.service` }),
);

/** Adds rules to the active firewall, or a separate nftables table if there is none. */
function rules(cluster: Cluster, view: StepView): readonly GenericStep[] {
  const open = openOn(cluster, view);
  const { podCidrs } = cluster.network;
  const [address] = clusterHost(cluster, view.host).internalAddresses;
  const device = view.facts.interfaces.find(({ addresses }) => addresses.some((one) => one.startsWith(`${address}/`)));
  const peers = peersOf(cluster, view);
  return [
    when(FIREWALLD, firewalldPorts(open, [...podCidrs, ...peers], device?.name)),
    when(UFW, ufwPorts(open, podCidrs, peers)),
    when(sh`! { ${FIREWALLD}; } && ! { ${UFW}; }`, ownTable(open, podCidrs, peers)),
  ];
}

const ownTable = (open: OpenPorts, pods: readonly string[], peers: readonly string[]) =>
  guarded(nftablesPorts(open, pods, peers), NFTABLES_GUARD);

/** Undoing the table does not depend on its content, which has a line for every host of the cluster. */
const formerTable = ownTable({ ports: [], protocols: [] }, [], []);

/** The addresses of the other hosts: internal ones, and those of SSH, which overlay networks may use as well. */
const peersOf = ({ hosts }: Cluster, { host }: StepView): readonly string[] => [
  ...new Set(
    hosts
      .filter(({ name }) => name !== host.name)
      .flatMap(({ internalAddresses, login }) => [...internalAddresses, login.address])
      .filter((address) => isIP(address) !== 0),
  ),
];

const FIREWALLD = sh`systemctl is-active -q firewalld.service`;
const UFW = sh`if command -v ufw >/dev/null; then LC_ALL=C ufw status | grep -q '^Status: active'; else false; fi`;

/** The ports to open, including the port of sshd: the SSH port in the cluster file may be the one of a router. */
function openOn(cluster: Cluster, { host, facts }: StepView): OpenPorts {
  const { ports, protocols } = portsOf(cluster, clusterHost(cluster, host));
  const known = new Set(ports.map(({ port, protocol }) => `${port} ${protocol}`));
  // Only the port forwarding of an SSH session listens on loopback addresses.
  const sshd = facts.listening.filter(
    (each) => isSsh(each) && each.protocol === 'tcp' && !/^(127\.|::1$)/.test(each.address),
  );
  const more = [...new Set(sshd.map(({ port }) => port))].filter((port) => !known.has(`${port} tcp`));
  return { ports: [...more.map((port) => ({ protocol: 'tcp' as const, port, for: 'ssh' })), ...ports], protocols };
}

/** With socket activation, as on Ubuntu, systemd listens for sshd. */
const isSsh = ({ process, port }: ListeningPort) => process === 'sshd' || (process === 'systemd' && port === 22);
