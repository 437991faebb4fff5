import { canonical, overlap } from '../../../config/value/address.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import type { NetworkInterface } from '../../../runner/facts.ts';
import {
  belongsToCluster,
  defineCheck,
  hasRole,
  type CheckInput,
  type FindingOnHost,
  type HostReport,
} from '../check.ts';

export const virtualIp = defineCheck({
  id: 'PF16',
  title: 'Virtual IP',
  about:
    'The virtual IP is unused: no host has it, and nothing responds to ARP, ping or TCP connections. It is in a subnet of the hosts that will hold it.',
  severities: ['error', 'warning'],
  across: (input) => {
    const vip = virtualIpOf(input.cluster);
    if (vip === undefined) return [];
    const holders = input.reports.filter((report) => interfaceWith(report, vip));
    return [
      ...holders.filter((report) => !belongsToCluster(report, input)).map((report) => alreadyHeld(report, input, vip)),
      ...(holders.length === 0 && allCandidatesProbed(input) ? usedElsewhere(input, vip) : []),
      ...notInSubnet(input, vip),
    ];
  },
});

/** The virtual IP that hosts of this cluster will hold; undefined if an external load balancer has it. */
export function virtualIpOf({ endpoint: { external, internal } }: Cluster): string | undefined {
  if (external.type === 'kubexm-kh' || external.type === 'kubexm-kn') return external.address;
  return internal.type === 'kube-vip' ? internal.address : undefined;
}

const interfaceWith = ({ facts }: HostReport, vip: string): NetworkInterface | undefined =>
  facts.interfaces.find(({ addresses }) => addresses.some((each) => isAddress(each, vip)));

/** Whether an address of an interface, "10.0.0.100/32", is the virtual IP. */
const isAddress = (each: string, vip: string) => canonical(each.split('/')[0] ?? '') === canonical(vip);

/** The host has the virtual IP although it does not belong to this cluster yet. */
function alreadyHeld(report: HostReport, { cluster }: CheckInput, vip: string): FindingOnHost {
  const { name = '', addresses = [] } = interfaceWith(report, vip) ?? {};
  const remove = `ip addr del ${addresses.find((each) => isAddress(each, vip)) ?? vip} dev ${name}`;
  return {
    host: report.host.name,
    severity: 'error',
    found: `${vip} is already configured on ${name}`,
    wanted: 'an unused virtual IP',
    // An earlier kube-vip that was killed leaves the address behind; keepalived would add it again.
    fix: cluster.endpoint.internal.type === 'kube-vip' ? remove : `systemctl disable --now keepalived; ${remove}`,
  };
}

/** A host that was not probed may hold the virtual IP legitimately. */
const allCandidatesProbed = ({ cluster, reports }: CheckInput) =>
  cluster.hosts
    .filter((host) => mayHold(cluster, host))
    .every(({ name }) => reports.some(({ host }) => host.name === name));

const mayHold = ({ endpoint }: Cluster, host: ClusterHost) =>
  hasRole(host, endpoint.external.type === 'none' ? 'master' : 'loadbalancer');

/** A machine outside of the cluster responds. */
function usedElsewhere({ cluster, reports }: CheckInput, vip: string): readonly FindingOnHost[] {
  const ownMacs = new Set(reports.flatMap(({ facts }) => facts.interfaces.map(({ mac }) => mac)));
  const witness = reports.find(
    ({ probe: { vip: responses } }) =>
      responses &&
      (responses.pings || responses.connects || (responses.mac !== undefined && !ownMacs.has(responses.mac))),
  );
  const responses = witness?.probe.vip;
  if (!witness || !responses) return [];
  const how = [
    responses.mac && `ARP (${responses.mac})`,
    responses.pings && 'ping',
    responses.connects && `connections to port ${cluster.endpoint.port}`,
  ];
  return [
    {
      host: witness.host.name,
      severity: 'error',
      found: `${vip} is in use: it responds to ${how.filter(Boolean).join(', ')}`,
      wanted: 'an unused virtual IP',
      fix: `Set another controlPlaneEndpoint.lb_address in the cluster file, or find the machine with ip neigh show ${vip}`,
    },
  ];
}

function notInSubnet({ cluster, reports }: CheckInput, vip: string): readonly FindingOnHost[] {
  const { external, internal } = cluster.endpoint;
  // With BGP it is announced to routers and needs no common subnet.
  if (external.type === 'none' && internal.type === 'kube-vip' && internal.mode === 'BGP') return [];
  const single = `${vip}/${vip.includes(':') ? 128 : 32}`;
  return reports
    .filter(({ host }) => mayHold(cluster, host))
    .filter(({ facts }) => !facts.interfaces.some(({ addresses }) => addresses.some((each) => overlap(each, single))))
    .map(({ host }) => ({
      host: host.name,
      severity: 'warning',
      found: `${vip} is not in a subnet of this host`,
      wanted: 'an address in a subnet of this host',
      fix: 'Set another controlPlaneEndpoint.lb_address in the cluster file',
    }));
}
