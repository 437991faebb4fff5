import type { Cluster } from '../../config/model/cluster.ts';

/** Paths of additional API server files on masters. */
export const API_FILES = {
  auditPolicy: '/etc/kubernetes/audit/policy.yaml',
  auditLogs: '/var/log/kubernetes/audit',
  encryption: '/etc/kubernetes/encryption/config.yaml',
} as const;

/** Folder of the user's kubeadm patches on nodes. */
export const PATCHES = '/etc/kubernetes/patches';

/** API server flags for these files. */
export const apiserverFlags = ({
  kubernetes: { audit, encryptionAtRest },
}: Cluster): Readonly<Record<string, string>> => ({
  ...(audit && {
    'audit-policy-file': API_FILES.auditPolicy,
    'audit-log-path': `${API_FILES.auditLogs}/audit.log`,
    'audit-log-maxage': '30',
    'audit-log-maxbackup': '10',
    'audit-log-maxsize': '100',
  }),
  ...(encryptionAtRest && { 'encryption-provider-config': API_FILES.encryption }),
});

/** Mounts of these files for API servers that run as static Pods. */
export const apiserverVolumes = ({ kubernetes: { audit, encryptionAtRest } }: Cluster): readonly Volume[] => [
  ...(audit
    ? ([
        { name: 'audit-policy', path: API_FILES.auditPolicy, readOnly: true, pathType: 'File' },
        { name: 'audit-logs', path: API_FILES.auditLogs, readOnly: false, pathType: 'DirectoryOrCreate' },
      ] as const)
    : []),
  ...(encryptionAtRest
    ? ([{ name: 'encryption', path: API_FILES.encryption, readOnly: true, pathType: 'File' }] as const)
    : []),
];

/** A host path mounted into a static Pod. */
export interface Volume {
  readonly name: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly pathType: 'File' | 'DirectoryOrCreate' | 'Directory';
}
