import { hostsWithRole } from '../model/roles.ts';
import { quoted } from '../load/issues.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, type Rule, type RuleFinding } from './rule.ts';

const GIB = 1024 ** 3;

export const etcdRules: readonly Rule[] = [
  {
    id: 'etcd-kubeadm-needs-kubeadm',
    severity: 'error',
    about: 'etcd of type kubeadm needs Kubernetes of type kubeadm.',
    reads: ['etcd.type', 'kubernetes.type'],
    check: ({ etcd, kubernetes }) =>
      etcd.type === 'kubeadm' && kubernetes.type !== 'kubeadm'
        ? [
            {
              ...finding(
                ['etcd', 'type'],
                `needs spec.kubernetes.type kubeadm, and that is ${kubernetes.type}`,
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
      'etcd of type kubexm needs hosts in roleGroups.etcd; kubeadm etcd runs on the masters; external etcd has no hosts here.',
    reads: ['etcd.type', 'roleGroups'],
    check: checkHosts,
  },
  {
    id: 'etcd-odd',
    severity: 'warning',
    about: 'The number of etcd hosts is odd.',
    reads: ['etcd.type', 'roleGroups'],
    check: (spec) => {
      const group = spec.etcd.type === 'kubeadm' ? 'master' : 'etcd';
      const count = hostsWithRole(spec, group).length;
      return count > 0 && count % 2 === 0
        ? [
            finding(
              ['roleGroups', group],
              `is even: ${count} members survive no more failures than ${count - 1}`,
              `${count} hosts`,
            ),
          ]
        : [];
    },
  },
  {
    id: 'etcd-external',
    severity: 'error',
    about: 'etcd of type external names its endpoints, all http or all https, and certFile and keyFile come together.',
    reads: ['etcd.type', 'etcd.external'],
    check: checkExternal,
  },
  {
    id: 'etcd-external-unused',
    severity: 'warning',
    about: 'The block etcd.external belongs to type external.',
    reads: ['etcd.type', 'etcd.external'],
    check: ({ etcd }) =>
      etcd.external && etcd.type !== 'external'
        ? [finding(['etcd', 'external'], `does not count, because spec.etcd.type is ${etcd.type}`)]
        : [],
  },
  {
    id: 'etcd-election',
    severity: 'error',
    about: 'The election timeout is at least five heartbeats.',
    reads: ['etcd.heartbeatInterval', 'etcd.electionTimeout'],
    check: ({ etcd: { heartbeatInterval, electionTimeout } }) =>
      electionTimeout < 5 * heartbeatInterval
        ? [
            finding(
              ['etcd', 'electionTimeout'],
              `must be at least five heartbeats, ${5 * heartbeatInterval}`,
              String(electionTimeout),
            ),
          ]
        : [],
  },
  {
    id: 'etcd-quota',
    severity: 'warning',
    about: 'The database quota is at most 8 GiB.',
    reads: ['etcd.quotaBackendBytes'],
    check: ({ etcd: { quotaBackendBytes } }) =>
      quotaBackendBytes > 8 * GIB
        ? [
            finding(
              ['etcd', 'quotaBackendBytes'],
              'is more than the 8 GiB that etcd advises',
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
      return hosts.length === 0 ? [finding(path, 'must name at least one host, because spec.etcd.type is kubexm')] : [];
    case 'kubeadm': {
      const masters = hostsWithRole(spec, 'master');
      const same = hosts.length === masters.length && hosts.every((name) => masters.includes(name));
      return hosts.length > 0 && !same
        ? [finding(path, 'must be the masters or empty, because kubeadm runs etcd on the masters')]
        : [];
    }
    case 'external':
      return hosts.length > 0
        ? [finding(path, 'must be empty, because spec.etcd.type is external: your own etcd')]
        : [];
  }
}

function checkExternal({ etcd }: Spec): readonly RuleFinding[] {
  if (etcd.type !== 'external') return [];
  const { external } = etcd;
  if (external === undefined)
    return [finding(['etcd', 'external'], 'is missing: spec.etcd.type external needs endpoints')];
  const found: RuleFinding[] = [];
  const odd = external.endpoints.findIndex(
    (url) => url.startsWith('http:') !== external.endpoints[0]!.startsWith('http:'),
  );
  if (odd >= 0)
    found.push(
      finding(['etcd', 'external', 'endpoints', odd], 'mixes http and https', quoted(external.endpoints[odd]!)),
    );
  if ((external.certFile === undefined) !== (external.keyFile === undefined)) {
    const [given, other] = external.certFile === undefined ? ['keyFile', 'certFile'] : ['certFile', 'keyFile'];
    found.push(finding(['etcd', 'external', given], `needs ${other}, too`));
  }
  return found;
}
