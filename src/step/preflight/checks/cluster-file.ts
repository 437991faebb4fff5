import { overlap, isCidr } from '../../../config/value/address.ts';
import { isClusterLink } from '../../../config/model/network-plugins.ts';
import { formatDiagnostic } from '../../../config/diagnostic/diagnostic.ts';
import { belongsToCluster, defineCheck, type CheckInput, type HostReport } from '../check.ts';

export const clusterFile = defineCheck({
  id: 'PF11',
  title: 'Cluster file',
  about:
    'The cluster file passes kubexm validate cluster, and the Pod and Service CIDRs do not overlap with any network that a host has a route to.',
  severities: ['error', 'warning', 'note'],
  each: networks,
  across: ({ lint }) =>
    lint.map((diagnostic) => ({
      host: 'file',
      severity: diagnostic.severity,
      found: formatDiagnostic(diagnostic),
      wanted: `rule ${diagnostic.rule}`,
      fix: 'kubexm validate cluster',
    })),
});

function networks(report: HostReport, input: CheckInput) {
  if (belongsToCluster(report, input)) return [];
  const { podCidrs, serviceCidrs } = input.cluster.network;
  // Routes of the network plugin of an earlier cluster are leftovers, which PF7 reports.
  const routes = report.facts.routes.filter(
    ({ destination, interface: name = '' }) => destination !== 'default' && !isClusterLink(name),
  );
  return routes.flatMap(({ destination, interface: name }) => {
    const network = destination.includes('/') ? destination : `${destination}/${destination.includes(':') ? 128 : 32}`;
    if (!isCidr(network)) return [];
    const hit = [...podCidrs, ...serviceCidrs].find((cidr) => overlap(cidr, network));
    if (hit === undefined) return [];
    const field = podCidrs.includes(hit) ? 'kubePodsCIDR' : 'kubeServiceCIDR';
    return [
      {
        severity: 'error' as const,
        found: `the route to ${destination}${name === undefined ? '' : ` on ${name}`} overlaps with ${hit}`,
        wanted: `network.${field} does not overlap with host networks`,
        fix: `Set network.${field} in the cluster file to an unused network`,
      },
    ];
  });
}
