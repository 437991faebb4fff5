import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { hostsWithRole } from '../value/role-groups.ts';
import { finding, type Rule, type RuleFinding } from './rule.ts';

const GIB = 1024 ** 3;
const isPlainHttp = (url: string) => url.startsWith('http:');

export const etcdRules: readonly Rule[] = [
  {
    id: 'etcd-kubeadm-needs-kubeadm',
    severity: 'error',
    about: 'etcd.type kubeadm requires kubernetes.type kubeadm.',
    check: ({ etcd, kubernetes }) =>
      etcd.type === 'kubeadm' && kubernetes.type !== 'kubeadm'
        ? [
            {
              ...finding(
                ['etcd', 'type'],
                `requires spec.kubernetes.type kubeadm, but it is ${kubernetes.type}`,
                '"kubeadm"',
              ),
              allowed: ['kubexm', 'external'],
            },
          ]
        : [],
  },
  {
    id: 'etcd-hosts',
    severity: 'error',
    about:
      'etcd.type kubexm requires hosts in roleGroups.etcd. With kubeadm, roleGroups.etcd must be empty or list the masters; with external, it must be empty.',
    check: checkHosts,
  },
  {
    id: 'etcd-odd',
    severity: 'warning',
    about: 'The number of etcd hosts should be odd.',
    check: (spec) => {
      const group = spec.etcd.type === 'kubeadm' ? 'master' : 'etcd';
      const count = hostsWithRole(spec, group).length;
      return count > 0 && count % 2 === 0
        ? [
            finding(
              ['roleGroups', group],
              `should be an odd number of hosts: ${count} members tolerate no more failures than ${count - 1}`,
              `${count} hosts`,
            ),
          ]
        : [];
    },
  },
  {
    id: 'etcd-external',
    severity: 'error',
    about:
      'etcd.type external requires endpoints, either all http or all https; certFile and keyFile must be set together.',
    check: checkExternal,
  },
  {
    id: 'etcd-external-http',
    severity: 'warning',
    about: 'Endpoints of an external etcd should use https, because etcd contains all Secrets of the cluster.',
    check: ({ etcd }) => {
      const at = etcd.type === 'external' ? (etcd.external?.endpoints ?? []).findIndex(isPlainHttp) : -1;
      return at < 0
        ? []
        : [
            finding(
              ['etcd', 'external', 'endpoints', at],
              'is not encrypted, but API servers send Secrets over this connection; use https',
              quoted(etcd.external!.endpoints[at]!),
            ),
          ];
    },
  },
  {
    id: 'etcd-external-unused',
    severity: 'warning',
    about: 'etcd.external has an effect only with etcd.type external.',
    check: ({ etcd }) =>
      etcd.external && etcd.type !== 'external'
        ? [finding(['etcd', 'external'], `is ignored, because spec.etcd.type is ${etcd.type}`)]
        : [],
  },
  {
    id: 'etcd-election',
    severity: 'error',
    about: 'electionTimeout must be at least five times heartbeatInterval.',
    check: ({ etcd: { heartbeatInterval, electionTimeout } }) =>
      electionTimeout < 5 * heartbeatInterval
        ? [
            finding(
              ['etcd', 'electionTimeout'],
              `must be at least ${5 * heartbeatInterval}, five times heartbeatInterval`,
              String(electionTimeout),
            ),
          ]
        : [],
  },
  {
    id: 'etcd-quota',
    severity: 'warning',
    about: 'The database quota should be at most 8 GiB.',
    check: ({ etcd: { quotaBackendBytes } }) =>
      quotaBackendBytes > 8 * GIB
        ? [
            finding(
              ['etcd', 'quotaBackendBytes'],
              'exceeds 8 GiB, the maximum that etcd recommends',
              String(quotaBackendBytes),
            ),
          ]
        : [],
  },
];

function checkHosts(spec: Spec): readonly RuleFinding[] {
  const path = ['roleGroups', 'etcd'];
  const hosts = hostsWithRole(spec, 'etcd');
  switch (spec.etcd.type) {
    case 'kubexm':
      return hosts.length === 0 ? [finding(path, 'must list at least one host, because spec.etcd.type is kubexm')] : [];
    case 'kubeadm': {
      const masters = hostsWithRole(spec, 'master');
      const same = hosts.length === masters.length && hosts.every((name) => masters.includes(name));
      return hosts.length > 0 && !same
        ? [finding(path, 'must be empty or list the masters, because spec.etcd.type is kubeadm')]
        : [];
    }
    case 'external':
      return hosts.length > 0 ? [finding(path, 'must be empty, because spec.etcd.type is external')] : [];
  }
}

function checkExternal({ etcd }: Spec): readonly RuleFinding[] {
  if (etcd.type !== 'external') return [];
  const { external } = etcd;
  if (external === undefined)
    return [finding(['etcd', 'external'], 'is missing, but spec.etcd.type external requires endpoints')];
  const found: RuleFinding[] = [];
  const odd = external.endpoints.findIndex((url) => isPlainHttp(url) !== isPlainHttp(external.endpoints[0]!));
  if (odd >= 0)
    found.push(
      finding(
        ['etcd', 'external', 'endpoints', odd],
        'must use the same scheme as the first endpoint',
        quoted(external.endpoints[odd]!),
      ),
    );
  if ((external.certFile === undefined) !== (external.keyFile === undefined)) {
    const [given, other] = external.certFile === undefined ? ['keyFile', 'certFile'] : ['certFile', 'keyFile'];
    found.push(finding(['etcd', 'external', given], `requires ${other} as well`));
  }
  return found;
}
