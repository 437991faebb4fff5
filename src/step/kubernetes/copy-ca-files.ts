import type { Runner } from '../../runner/runner.ts';

/**
 * Copies the CA files of the cluster to a new master through memory. `kubeadm init --upload-certs` would keep them in
 * an encrypted Secret for two hours.
 */
export async function copyCaFiles(from: Runner, to: Runner, stackedEtcd: boolean): Promise<void> {
  const paths = [...CA_FILES, ...(stackedEtcd ? ETCD_CA_FILES : [])].map((name) => `${PKI}/${name}`);
  const contents = await Promise.all(paths.map((path) => from.read(path)));
  for (const [index, path] of paths.entries()) {
    const content = contents[index];
    if (content === undefined) continue;
    const mode = path.endsWith('.key') ? 0o600 : 0o644;
    await to.write({ path, content, mode, owner: 'root:root' });
  }
}

const PKI = '/etc/kubernetes/pki';
const CA_FILES = ['ca.crt', 'ca.key', 'sa.pub', 'sa.key', 'front-proxy-ca.crt', 'front-proxy-ca.key'] as const;
const ETCD_CA_FILES = ['etcd/ca.crt', 'etcd/ca.key'] as const;
