import { isClusterLink, isKernelLink, PLUGIN_DATA_DIRECTORIES } from '../../../config/model/network-plugins.ts';
import type { Facts } from '../../../runner/facts.ts';
import { belongsToCluster, defineCheck, type HostReport } from '../check.ts';
import type { Leftover } from '../probe/probe.ts';

export const leftovers = defineCheck({
  id: 'PF7',
  title: 'Leftovers of a previous installation',
  about:
    'There are no directories, programs, services, containers, network interfaces or packet filter rules of another Kubernetes or etcd installation. Findings name the owner.',
  severities: ['error', 'warning'],
  each: (report, input) => {
    if (belongsToCluster(report, input)) return [];
    const { probe, facts } = report;
    const [other] = probe.clusters;
    const blocking = probe.leftovers.filter((each) => !isHarmless(each));
    const harmless = [...probe.leftovers.filter(isHarmless), ...interfaces(facts)];
    const fix = other === undefined ? undefined : `kubexm delete cluster -c ${other}`;
    const finding = (severity: 'error' | 'warning', list: readonly Leftover[]) =>
      list.length === 0
        ? []
        : [
            {
              severity,
              found: describe(list),
              wanted: 'no leftovers from another cluster',
              fix: fix ?? cleanUp(report, list),
            },
          ];
    return [...finding('error', blocking), ...finding('warning', harmless)];
  },
});

/** Whether a new cluster works despite the leftover. */
const isHarmless = ({ kind, name }: Leftover) =>
  kind === 'rules' ||
  (kind === 'program' && !/etcd|k3s|rke2/.test(name)) ||
  /cni/.test(name) ||
  PLUGIN_DATA_DIRECTORIES.includes(name);

const describe = (list: readonly Leftover[]) =>
  list.map(({ name, owner }) => (owner === '' ? name : `${name} (${owner})`)).join(', ');

const interfaces = ({ interfaces: all }: Facts): readonly Leftover[] =>
  all
    .filter(({ name }) => isClusterLink(name))
    // The kernel keeps these interfaces; without an address they are unused.
    .filter(({ name, addresses }) => !isKernelLink(name) || addresses.length > 0)
    .map(({ name }) => ({ kind: 'rules', name: `the interface ${name}`, owner: '' }));

/** The commands that remove these leftovers. Prefixed with a condition, so that nobody deletes data by pasting them unread. */
function cleanUp({ facts, probe }: HostReport, list: readonly Leftover[]): string {
  const of = (kind: Leftover['kind']) => list.filter((each) => each.kind === kind);
  const packages = list.flatMap(({ owner }) => /^package (\S+)/.exec(owner)?.[1] ?? []);
  const units = of('unit').map(({ name }) => name);
  const paths = [...of('folder'), ...of('program').filter(({ owner }) => !owner.startsWith('package'))].map(
    ({ name }) => name,
  );
  const links = list.flatMap(({ name }) => /^the interface (\S+)/.exec(name)?.[1] ?? []);
  const reset =
    [...probe.leftovers].some(({ name }) => name.endsWith('/kubeadm')) && list.some(({ kind }) => kind !== 'program');
  const commands = [
    ...(reset ? ['kubeadm reset -f'] : []),
    ...(units.length > 0 ? [`systemctl disable --now ${units.join(' ')}`] : []),
    ...(packages.length > 0 ? [remove(facts, [...new Set(packages)])] : []),
    ...(paths.length > 0 ? [`rm -rf ${paths.join(' ')}`] : []),
    ...links.map((name) => (isKernelLink(name) ? `ip address flush dev ${name}` : `ip link delete ${name}`)),
    ...(list.some(({ name }) => name.includes('iptables')) ? ['iptables-save | grep -v KUBE- | iptables-restore'] : []),
    ...(list.some(({ name }) => name.includes('nft table'))
      ? ['nft delete table ip kube-proxy; nft delete table ip6 kube-proxy']
      : []),
  ];
  return `If this is no longer needed: ${commands.join('; ') || 'stop these processes'}`;
}

const remove = ({ packageManager }: Facts, packages: readonly string[]) =>
  packageManager === 'apt'
    ? `apt-get purge -y ${packages.join(' ')}`
    : `${packageManager ?? 'dnf'} remove -y ${packages.join(' ')}`;
