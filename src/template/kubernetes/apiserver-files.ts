import type { Cluster } from '../../config/model/cluster.ts';
import { configuresAdmission, limitsAnonymous } from '../../config/model/security.ts';

/** Paths of additional API server files on masters. */
export const API_FILES = {
  auditPolicy: '/etc/kubernetes/audit/policy.yaml',
  auditLogs: '/var/log/kubernetes/audit',
  encryption: '/etc/kubernetes/encryption/config.yaml',
  admission: '/etc/kubernetes/admission/config.yaml',
  authentication: '/etc/kubernetes/authentication/config.yaml',
} as const;

/** Folder of the user's kubeadm patches on nodes. */
export const PATCHES = '/etc/kubernetes/patches';

/** API server flags for these files. */
export const apiserverFlags = (cluster: Cluster): Readonly<Record<string, string>> => ({
  ...(cluster.kubernetes.audit && {
    'audit-policy-file': API_FILES.auditPolicy,
    'audit-log-path': `${API_FILES.auditLogs}/audit.log`,
    'audit-log-maxage': '30',
    'audit-log-maxbackup': '10',
    'audit-log-maxsize': '100',
  }),
  ...(cluster.kubernetes.encryptionAtRest && { 'encryption-provider-config': API_FILES.encryption }),
  ...(configuresAdmission(cluster) && { 'admission-control-config-file': API_FILES.admission }),
  ...(limitsAnonymous(cluster) && { 'authentication-config': API_FILES.authentication }),
});

/** Mounts of these files for API servers that run as static Pods. */
export const apiserverVolumes = (cluster: Cluster): readonly Volume[] => [
  ...(cluster.kubernetes.audit
    ? ([
        { name: 'audit-policy', path: API_FILES.auditPolicy, readOnly: true, pathType: 'File' },
        { name: 'audit-logs', path: API_FILES.auditLogs, readOnly: false, pathType: 'DirectoryOrCreate' },
      ] as const)
    : []),
  ...(cluster.kubernetes.encryptionAtRest ? [configFile('encryption')] : []),
  ...(configuresAdmission(cluster) ? [configFile('admission')] : []),
  ...(limitsAnonymous(cluster) ? [configFile('authentication')] : []),
];

const configFile = (name: 'encryption' | 'admission' | 'authentication'): Volume => ({
  name,
  path: API_FILES[name],
  readOnly: true,
  pathType: 'File',
});

/** A host path mounted into a static Pod. */
export interface Volume {
  readonly name: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly pathType: 'File' | 'DirectoryOrCreate' | 'Directory';
}
