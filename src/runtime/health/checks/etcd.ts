import type { Cluster } from '../../../config/model/cluster.ts';
import { etcdOn } from '../../../config/model/ports.ts';
import {
  kubectlOn,
  notReached,
  on,
  seenHosts,
  unseenHosts,
  type HealthCheck,
  type HealthFinding,
  type HealthScene,
} from '../check.ts';

export const etcd: HealthCheck = {
  name: 'etcd',
  condition: 'EtcdHealthy',
  judge: (scene) => {
    const { cluster } = scene;
    if (cluster.etcd.type === 'external') return outside(scene);
    const members = seenHosts(scene).flatMap(({ host, etcd: answer }) => (answer ? [{ host, answer }] : []));
    const away = unseenHosts(scene).filter(({ host }) => etcdOn(cluster, host));
    const all = members.length + away.length;
    const healthy = members.filter(({ answer }) => answer.ok);
    const leader = members.find(({ answer }) => answer.leads)?.host.name;
    const found =
      healthy.length === all && all > 0
        ? `${all === 1 ? 'its only member is' : `all ${all} members are`} healthy${leader && all > 1 ? `, ${leader} leads` : ''}`
        : `${healthy.length} of ${all} members are healthy`;
    return {
      type: 'judged',
      found: all > 1 && healthy.length <= all / 2 ? `${found}: no majority` : found,
      findings: [
        ...away.map(({ host }) => notReached(scene, host.name)),
        ...members.filter(({ answer }) => !answer.ok).map(({ host, answer }) => finding(scene, host.name, answer.said)),
      ],
    };
  },
};

const finding = (scene: HealthScene, host: string, found: string): HealthFinding => ({
  host,
  severity: 'failed',
  found,
  next: on(scene, host, logsOf(scene.cluster)),
});

const logsOf = ({ etcd: { type } }: Cluster) =>
  type === 'kubeadm'
    ? 'crictl ps -a --name etcd; crictl logs --tail 30 $(crictl ps -aq --name etcd | head -n 1)'
    : 'journalctl -u etcd -n 30';

/** Nobody but the API servers has the way in: they say so when it does not answer. */
function outside(scene: HealthScene): ReturnType<HealthCheck['judge']> {
  const { cluster } = scene;
  const told = seenHosts(scene).flatMap(({ host, api }) => (api ? [{ host, api }] : []));
  if (told.length === 0 || cluster.etcd.type !== 'external') return { type: 'unknown', found: 'no master was reached' };
  const failed = told.filter(({ api }) => /\betcd/.test(api.said) && !api.ok);
  return {
    type: 'judged',
    found: `API servers ${failed.length === 0 ? 'reach' : 'do not reach'} ${cluster.etcd.endpoints.join(', ')}`,
    findings: failed.map(({ host, api }) => ({
      ...finding(scene, host.name, api.said),
      next: kubectlOn(scene, 'get --raw /readyz?verbose'),
    })),
  };
}
