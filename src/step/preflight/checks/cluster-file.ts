import { overlap, isCidr } from '../../../config/value/address.ts';
import { isClusterLink } from '../../../config/model/network-plugins.ts';
import { formatDiagnostic } from '../../../config/diagnostic/diagnostic.ts';
import { defineCheck, belongsToCluster, type HostReport, type CheckInput } from '../check.ts';

export const file = defineCheck({
  id: 'PF11',
  title: 'Cluster file',
  about:
    'What validate cluster has to say of the file; and no network of pods or services is one that a host has a route to already.',
  severities: ['error', 'warning', 'note'],
  each: networks,
  across: ({ lint }) =>
    lint.map((diagnostic) => ({
      host: 'file',
      severity: diagnostic.severity,
      found: formatDiagnostic(diagnostic),
      wanted: `the rule ${diagnostic.rule} holds`,
      fix: 'kubexm validate cluster',
    })),
});

function networks(report: HostReport, scene: CheckInput) {
  if (belongsToCluster(report, scene)) return [];
  const { podCidrs, serviceCidrs } = scene.cluster.network;
  // Routes that the network plugin of an older cluster made are leftovers, not networks of the host.
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
        found: `it has a route to ${destination} by ${name ?? 'another host'}, which lies in ${hit}`,
        wanted: `network.${field} is a network that no host uses`,
        fix: `kubexm validate cluster -e network.${field}=ANOTHER`,
      },
    ];
  });
}
