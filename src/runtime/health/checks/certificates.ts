import { commandOn, count, reachedHosts, type HealthCheck, type HealthInput } from '../check.ts';

export const certificates: HealthCheck = {
  name: 'certificates',
  condition: 'CertificatesValid',
  evaluate: (input) => {
    const all = certificatesOf(input);
    const [first] = all;
    if (!first) return { type: 'unknown', found: 'no certificates found' };
    const expiring = all.filter(({ days, isCA }) => days < (isCA ? WARN_CA_DAYS : WARN_DAYS));
    return {
      type: 'evaluated',
      found: `the first of ${all.length} ${first.days < 0 ? 'expired' : 'expires'} on ${first.expires.toISOString().slice(0, 10)}`,
      findings: expiring.map(({ host, path, days }) => ({
        host,
        severity: days < FAIL_DAYS ? 'failed' : 'warning',
        found: `${path} ${days < 0 ? `expired ${count(-days, 'day')} ago` : `expires in ${count(days, 'day')}`}`,
        next: nextFor(input, host, path),
      })),
    };
  },
};

/** Kubelets renew their own certificates, kubeadm those it created; `create cluster` renews all others. */
function nextFor(input: HealthInput, host: string, path: string): string {
  if (path.startsWith('/var/lib/kubelet/')) return commandOn(input, host, 'journalctl -u kubelet -n 30');
  if (input.cluster.kubernetes.type === 'kubeadm' && path.startsWith('/etc/kubernetes/'))
    return commandOn(input, host, 'kubeadm certs check-expiration');
  return `kubexm create cluster ${input.clusterFlag}`;
}

/** All certificates found, by expiry date. */
export const certificatesOf = (input: HealthInput) =>
  reachedHosts(input)
    .flatMap(({ host, certificates: found }) =>
      found.map((each) => ({
        ...each,
        host: host.name,
        days: Math.floor((each.expires.getTime() - input.at.getTime()) / DAY_MS),
      })),
    )
    .toSorted((one, other) => one.expires.getTime() - other.expires.getTime());

const DAY_MS = 86_400_000;
const FAIL_DAYS = 7;
const WARN_DAYS = 30;
/** Replacing a CA takes time. */
const WARN_CA_DAYS = 180;
