import type { Runner } from '../../runner/runner.ts';

/**
 * Gives a new master the authorities of the cluster, through the memory of this machine. kubeadm's own way would leave
 * them in the API for two hours, wrapped with a key.
 */
export async function copyCaFiles(from: Runner, to: Runner, stackedEtcd: boolean): Promise<void> {
  const paths = [...SHARED, ...(stackedEtcd ? STACKED : [])].map((name) => `${PKI}/${name}`);
  const contents = await Promise.all(paths.map((path) => from.read(path)));
  for (const [at, path] of paths.entries()) {
    const content = contents[at];
    if (content === undefined) continue;
    const mode = path.endsWith('.key') ? 0o600 : 0o644;
    await to.write({ path, content, mode, owner: 'root:root' });
  }
}

const PKI = '/etc/kubernetes/pki';
const SHARED = ['ca.crt', 'ca.key', 'sa.pub', 'sa.key', 'front-proxy-ca.crt', 'front-proxy-ca.key'] as const;
const STACKED = ['etcd/ca.crt', 'etcd/ca.key'] as const;
