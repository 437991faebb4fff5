import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const host = 'node2';

/** Errors from etcd. */
export const etcdErrors = {
  ETCD_UNHEALTHY: entry(
    EXIT.command,
    { host, because: 'context deadline exceeded', journal: 'etcd[812]: rejected connection on peer endpoint' },
    (p) => ({
      title: `etcd on ${p.host} did not become healthy`,
      message: `etcd is running, but etcdctl reports: ${p.because}. Last log lines:\n${p.journal}`.trimEnd(),
      hint: `Check that the members reach each other on port 2380 and that their clocks are synchronized. On ${p.host}: journalctl -u etcd -n 50; then repeat the command with --resume.`,
    }),
  ),
  ETCD_UNREACHABLE: entry(
    EXIT.config,
    { host, endpoint: 'https://10.0.0.20:2379', reason: 'curl: (7) Failed to connect to 10.0.0.20 port 2379' },
    (p) => ({
      title: `${p.host} cannot use the external etcd ${p.endpoint}`,
      message: `The etcd health check failed: ${p.reason}. Kubernetes was not installed.`,
      hint: `Fix spec.etcd.external or the external etcd, then test it on ${p.host}: curl --cacert /etc/kubexm/etcd/ssl/ca.pem --cert /etc/kubexm/etcd/ssl/node.pem --key /etc/kubexm/etcd/ssl/node-key.pem ${p.endpoint}/health`,
    }),
  ),
};
