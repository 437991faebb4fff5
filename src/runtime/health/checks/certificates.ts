import { on, seenHosts, type HealthCheck, type HealthScene } from '../check.ts';

export const certificates: HealthCheck = {
  name: 'certificates',
  condition: 'CertificatesValid',
  judge: (scene) => {
    const all = certificatesOf(scene);
    const [first] = all;
    if (!first) return { type: 'unknown', found: 'none were seen' };
    const near = all.filter(({ days, authority }) => days < (authority ? AUTHORITY_DAYS : WARN_DAYS));
    return {
      type: 'judged',
      found: `the first of ${all.length} ${first.days < 0 ? 'ended' : 'ends'} on ${first.ends.toISOString().slice(0, 10)}`,
      findings: near.map(({ host, path, days }) => ({
        host,
        severity: days < FAIL_DAYS ? 'failed' : 'warning',
        found: `${path} ${days < 0 ? `ended ${-days} days ago` : `ends in ${days} days`}`,
        next: nextFor(scene, host, path),
      })),
    };
  },
};

/** Kubelets renew their own; what kubeadm made it renews, and all else a run makes anew. */
function nextFor(scene: HealthScene, host: string, path: string): string {
  if (path.startsWith('/var/lib/kubelet/')) return on(scene, host, 'journalctl -u kubelet -n 30');
  if (scene.cluster.kubernetes.type === 'kubeadm' && path.startsWith('/etc/kubernetes/'))
    return on(scene, host, 'kubeadm certs check-expiration');
  return `kubexm create cluster ${scene.named}`;
}

/** All that were seen, those that end first before the others. */
export const certificatesOf = (scene: HealthScene) =>
  seenHosts(scene)
    .flatMap(({ host, certificates: seen }) =>
      seen.map((each) => ({
        ...each,
        host: host.name,
        days: Math.floor((each.ends.getTime() - scene.at.getTime()) / DAY_MS),
      })),
    )
    .toSorted((one, other) => one.ends.getTime() - other.ends.getTime());

const DAY_MS = 86_400_000;
const FAIL_DAYS = 7;
const WARN_DAYS = 30;
/** An authority takes long to replace. */
const AUTHORITY_DAYS = 180;
