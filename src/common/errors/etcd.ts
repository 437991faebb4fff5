import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const host = 'node2';

/** Errors of etcd. */
export const etcdErrors = {
  ETCD_UNHEALTHY: entry(
    EXIT.command,
    { host, because: 'context deadline exceeded', journal: 'etcd[812]: rejected connection on peer endpoint' },
    (p) => ({
      title: `etcd on ${p.host} does not become healthy`,
      message: `It runs, and etcdctl says: ${p.because}. The last it said itself:\n${p.journal}`.trimEnd(),
      hint: `See whether the members reach each other on port 2380 and have the same time, on ${p.host}: journalctl -u etcd -n 50; then go on with --resume.`,
    }),
  ),
  ETCD_UNREACHABLE: entry(
    EXIT.config,
    { host, endpoint: 'https://10.0.0.20:2379', reason: 'curl: (7) Failed to connect to 10.0.0.20 port 2379' },
    (p) => ({
      title: `${p.endpoint} cannot be used from ${p.host}`,
      message: `The etcd of spec.etcd.external was asked for its health, and the answer is: ${p.reason}. Nothing of Kubernetes was begun.`,
      hint: `Mend spec.etcd.external or that etcd, then ask by hand on ${p.host}: curl --cacert /etc/kubexm/etcd/ssl/ca.pem --cert /etc/kubexm/etcd/ssl/node.pem --key /etc/kubexm/etcd/ssl/node-key.pem ${p.endpoint}/health`,
    }),
  ),
};
