import type { Cluster } from '../../../config/model/cluster.ts';
import { etcdOn } from '../../../config/model/ports.ts';
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
    const members = reachedHosts(input).flatMap(({ host, etcd: status }) => (status ? [{ host, status }] : []));
    const unreachable = unreachableHosts(input).filter(({ host }) => etcdOn(cluster, host));
    const all = members.length + unreachable.length;
    const healthy = members.filter(({ status }) => status.ok);
    const leader = members.find(({ status }) => status.isLeader)?.host.name;
    const found =
      healthy.length === all && all > 0
        ? `${all === 1 ? 'the only member is' : `all ${all} members are`} healthy${leader && all > 1 ? `, leader ${leader}` : ''}`
        : `${healthy.length} of ${all} members are healthy`;
    return {
      type: 'evaluated',
      found: all > 1 && healthy.length <= all / 2 ? `${found}: no quorum` : found,
      findings: [
        ...unreachable.map(({ host }) => hostUnreachable(input, host.name)),
        ...members
          .filter(({ status }) => !status.ok)
          .map(({ host, status }) => finding(input, host.name, status.detail)),
      ],
    };
  },
};

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
