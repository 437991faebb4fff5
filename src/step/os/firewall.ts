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

/** The firewall of the host lets through what the cluster needs, or is off (OS3). */
export const firewall = (cluster: Cluster) =>
  defineStep({
    name: STEP,
    summary: FIREWALL_SUMMARIES[cluster.system.firewall],
    reversible: true,
    parts: (view) => {
      switch (cluster.system.firewall) {
        case 'disable':
          // A table of ours would go on dropping: no service looks after it but our own.
          return [restored(STEP, ownTable(cluster, view)), ...off];
        case 'rules':
          return rules(cluster, view);
        case 'keep':
          return [];
      }
    },
  });

const STEP = 'os.firewall';

const FIREWALL_SUMMARIES = {
  disable: 'Switch the firewall off',
  rules: 'Open exactly the ports that the host needs',
  keep: 'Leave the firewall alone',
} as const;

/** Whoever looks after rules takes them away when it is stopped. */
const off: readonly GenericStep[] = ['firewalld', 'ufw', 'nftables', 'iptables', 'ip6tables'].map((name) =>
  stoppedService({ unit: `${name}.service` }),
);

/** Into the firewall that runs; where none does, one of our own. */
function rules(cluster: Cluster, view: StepView): readonly GenericStep[] {
  const open = openOn(cluster, view);
  const { podCidrs } = cluster.network;
  const [address] = clusterHost(cluster, view.host).internalAddresses;
  const device = view.facts.interfaces.find(({ addresses }) => addresses.some((one) => one.startsWith(`${address}/`)));
  const peers = cluster.hosts.flatMap(({ internalAddresses }) => internalAddresses);
  return [
    when(FIREWALLD, firewalldPorts(open, podCidrs, device?.name)),
    when(UFW, ufwPorts(open, podCidrs, peers)),
    when(sh`! { ${FIREWALLD}; } && ! { ${UFW}; }`, ownTable(cluster, view)),
  ];
}

const ownTable = (cluster: Cluster, view: StepView) =>
  guarded(nftablesPorts(openOn(cluster, view), cluster.network.podCidrs), NFTABLES_GUARD);

const FIREWALLD = sh`systemctl is-active -q firewalld.service`;
const UFW = sh`if command -v ufw >/dev/null; then LC_ALL=C ufw status | grep -q '^Status: active'; else false; fi`;

/** Where the host is reached from far away by another port, the one that sshd listens on has to be open, too. */
function openOn(cluster: Cluster, { host, facts }: StepView): OpenPorts {
  const { ports, protocols } = portsOf(cluster, clusterHost(cluster, host));
  const known = new Set(ports.map(({ port, protocol }) => `${port} ${protocol}`));
  // On the loopback only a tunnel of a session listens, which comes and goes.
  const sshd = facts.listening.filter(
    (each) => isSsh(each) && each.protocol === 'tcp' && !/^(127\.|::1$)/.test(each.address),
  );
  const more = [...new Set(sshd.map(({ port }) => port))].filter((port) => !known.has(`${port} tcp`));
  return { ports: [...more.map((port) => ({ protocol: 'tcp' as const, port, for: 'ssh' })), ...ports], protocols };
}

/** Ubuntu lets systemd listen for it. */
const isSsh = ({ process, port }: ListeningPort) => process === 'sshd' || (process === 'systemd' && port === 22);
