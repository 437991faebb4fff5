import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { etcdOn } from '../../../config/model/ports.ts';
import { compareEtcdMembers, memberText, type EtcdDifferences } from '../../probe/etcd-members.ts';
import {
  kubectlCommand,
  hostUnreachable,
  commandOn,
  reachedHosts,
  unreachableHosts,
  type HealthCheck,
  type HealthFinding,
  type HealthInput,
} from '../check.ts';

export const etcd: HealthCheck = {
  name: 'etcd',
  condition: 'EtcdHealthy',
  evaluate: (input) => {
    const { cluster } = input;
    if (cluster.etcd.type === 'external') return evaluateExternal(input);
    const differences = compareEtcdMembers(cluster, input.etcdMembers);
    const { stale, missing } = differences;
    const isMember = (host: ClusterHost) => etcdOn(cluster, host) && !missing.includes(host);
    const members = reachedHosts(input).flatMap(({ host, etcd: status }) =>
      status && isMember(host) ? [{ host, status }] : [],
    );
    const unreachable = unreachableHosts(input).filter(({ host }) => isMember(host));
    const all = members.length + unreachable.length + stale.length;
    const healthy =
      members.filter(({ status }) => status.ok).length + stale.filter(({ isHealthy }) => isHealthy).length;
    const leader = members.find(({ status }) => status.isLeader)?.host.name;
    const found =
      healthy === all && all > 0
        ? `${all === 1 ? 'the only member is' : `all ${all} members are`} healthy${leader && all > 1 ? `, leader ${leader}` : ''}`
        : `${healthy} of ${all} members are healthy`;
    return {
      type: 'evaluated',
      found: all > 1 && healthy <= all / 2 ? `${found}: no quorum` : found,
      findings: [
        ...unreachable.map(({ host }) => hostUnreachable(input, host.name)),
        ...members
          .filter(({ status }) => !status.ok)
          .map(({ host, status }) => finding(input, host.name, status.detail)),
        ...differenceFindings(input, differences),
      ],
    };
  },
};

/** A stale member that is down weakens the quorum; the others only need attention. */
function differenceFindings(
  { clusterFlag }: HealthInput,
  { missing, learners, stale }: EtcdDifferences,
): readonly HealthFinding[] {
  const add = `kubexm add nodes ${clusterFlag}`;
  return [
    ...missing.map(({ name }) => ({
      host: name,
      severity: 'failed' as const,
      found: 'is not an etcd member',
      next: add,
    })),
    ...learners.map(({ name }) => ({
      host: name,
      severity: 'warning' as const,
      found: 'is a learner that was not promoted',
      next: add,
    })),
    ...stale.map((member) => ({
      severity: member.isHealthy ? ('warning' as const) : ('failed' as const),
      found: `member ${memberText(member)} has no host in the cluster file${member.isHealthy ? '' : ' and does not respond'}`,
      next: `kubexm delete nodes ${clusterFlag} --nodes ${member.name || member.id}`,
    })),
  ];
}

const finding = (input: HealthInput, host: string, found: string): HealthFinding => ({
  host,
  severity: 'failed',
  found,
  next: commandOn(input, host, logsOf(input.cluster)),
});

const logsOf = ({ etcd: { type } }: Cluster) =>
  type === 'kubeadm'
    ? 'crictl ps -a --name etcd; crictl logs --tail 30 $(crictl ps -aq --name etcd | head -n 1)'
    : 'journalctl -u etcd -n 30';

/** Only the API servers have credentials for external etcd, so their readiness checks decide. */
function evaluateExternal(input: HealthInput): ReturnType<HealthCheck['evaluate']> {
  const { cluster } = input;
  const masters = reachedHosts(input).flatMap(({ host, api }) => (api ? [{ host, api }] : []));
  if (masters.length === 0 || cluster.etcd.type !== 'external')
    return { type: 'unknown', found: 'no master could be reached' };
  const failed = masters.filter(({ api }) => /\betcd/.test(api.detail) && !api.ok);
  return {
    type: 'evaluated',
    found: `API servers ${failed.length === 0 ? 'can' : 'cannot'} reach ${cluster.etcd.endpoints.join(', ')}`,
    findings: failed.map(({ host, api }) => ({
      ...finding(input, host.name, api.detail),
      next: kubectlCommand(input, 'get --raw /readyz?verbose'),
    })),
  };
}
