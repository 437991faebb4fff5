import { canonical, overlap } from '../../../config/value/address.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import type { NetworkInterface } from '../../../runner/facts.ts';
import { defineCheck, hasRole, belongsToCluster, type HostReport, type HostFinding, type CheckInput } from '../check.ts';
import { virtualIpOf } from '../vip.ts';

export const virtualAddress = defineCheck({
  id: 'PF16',
  title: 'Virtual IP',
  about:
    'Nobody has the virtual IP yet: no host of the cluster, and nobody who answers ARP, ping or a connection. It lies in a network of the hosts that will carry it.',
  severities: ['error', 'warning'],
  across: (scene) => {
    const vip = virtualIpOf(scene.cluster);
    if (vip === undefined) return [];
    const carriers = scene.reports.filter((report) => carrying(report, vip));
    return [
      ...carriers.filter((report) => !belongsToCluster(report, scene)).map((report) => held(report, vip)),
      ...(carriers.length === 0 && sawAll(scene) ? answered(scene, vip) : []),
      ...outside(scene, vip),
    ];
  },
});

const carrying = ({ facts }: HostReport, vip: string): NetworkInterface | undefined =>
  facts.interfaces.find(({ addresses }) =>
    addresses.some((each) => canonical(each.split('/')[0] ?? '') === canonical(vip)),
  );

/** A host of the cluster has it, though this cluster did not bring it. */
function held(report: HostReport, vip: string): HostFinding {
  const name = carrying(report, vip)?.name ?? '';
  return {
    host: report.host.name,
    severity: 'error',
    found: `it has ${vip} on ${name} already`,
    wanted: 'a virtual IP that is free',
    fix: `systemctl disable --now keepalived; ip addr del ${vip}/32 dev ${name}`,
  };
}

/** A host that was not looked at may have it by right. */
const sawAll = ({ cluster, reports }: CheckInput) =>
  cluster.hosts
    .filter((host) => mayCarry(cluster, host))
    .every(({ name }) => reports.some(({ host }) => host.name === name));

const mayCarry = ({ endpoint }: Cluster, host: ClusterHost) =>
  hasRole(host, endpoint.external.type === 'none' ? 'master' : 'loadbalancer');

/** Somebody else answers. */
function answered({ cluster, reports }: CheckInput, vip: string): readonly HostFinding[] {
  const ours = new Set(reports.flatMap(({ facts }) => facts.interfaces.map(({ mac }) => mac)));
  const witness = reports.find(
    ({ probe: { vip: signs } }) =>
      signs && (signs.pings || signs.connects || (signs.mac !== undefined && !ours.has(signs.mac))),
  );
  const signs = witness?.probe.vip;
  if (!witness || !signs) return [];
  const how = [
    signs.mac && `ARP from ${signs.mac}`,
    signs.pings && 'ping',
    signs.connects && `a connection to ${cluster.endpoint.port}`,
  ];
  return [
    {
      host: witness.host.name,
      severity: 'error',
      found: `${vip} is in use: it answers ${how.filter(Boolean).join(', ')}`,
      wanted: 'a virtual IP that is free',
      fix: `In the file: controlPlaneEndpoint.lb_address: ANOTHER. Who has it: ip neigh show ${vip}`,
    },
  ];
}

function outside({ cluster, reports }: CheckInput, vip: string): readonly HostFinding[] {
  const { external, internal } = cluster.endpoint;
  // It is announced to routers, not to neighbours.
  if (external.type === 'none' && internal.type === 'kube-vip' && internal.mode === 'BGP') return [];
  const single = `${vip}/${vip.includes(':') ? 128 : 32}`;
  return reports
    .filter(({ host }) => mayCarry(cluster, host))
    .filter(({ facts }) => !facts.interfaces.some(({ addresses }) => addresses.some((each) => overlap(each, single))))
    .map(({ host }) => ({
      host: host.name,
      severity: 'warning',
      found: `${vip} lies in none of its networks`,
      wanted: 'an address of a network that it is in',
      fix: 'In the file: controlPlaneEndpoint.lb_address: ANOTHER',
    }));
}
