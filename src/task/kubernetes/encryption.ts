import { empty, on, sequence, type PlanFragment } from '../../plan/fragment.ts';
import { localEncryptionFile } from '../../step/kubernetes/apiserver-files.ts';
import { encryptExisting, encryptWrites } from '../../step/kubernetes/encrypt-secrets.ts';
import { firstMaster } from '../host-groups.ts';
import type { TaskContext } from '../task.ts';

/** Encrypts Secrets when all API servers can read encrypted ones: one master after another, then existing Secrets. */
export function encryptSecrets({
  cluster,
  assets,
  hosts,
}: Pick<TaskContext, 'cluster' | 'assets' | 'hosts'>): PlanFragment {
  if (!cluster.kubernetes.encryptionAtRest) return empty;
  const encrypt = encryptWrites(cluster, localEncryptionFile(assets.folder));
  return sequence(
    ...hosts.withRole('master').map((host) => on(host, encrypt)),
    on(firstMaster(hosts), encryptExisting),
  );
}
