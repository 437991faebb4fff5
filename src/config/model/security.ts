import type { Cluster } from './cluster.ts';
import { minorOf } from './version.ts';

/** The first Kubernetes minor version whose API server can limit anonymous requests to some paths. */
export const ANONYMOUS_PATHS_SINCE = 32;

type Hardened = Pick<Cluster, 'security' | 'kubernetes'>;

export const isCis = ({ security }: Pick<Cluster, 'security'>): boolean => security.profile === 'cis';

/**
 * Returns whether API servers accept anonymous requests only to health endpoints. Flags in the cluster file take
 * precedence.
 */
export const limitsAnonymous = ({ security, kubernetes: { version, apiserver } }: Hardened): boolean =>
  isCis({ security }) &&
  minorOf(version) >= ANONYMOUS_PATHS_SINCE &&
  !['anonymous-auth', 'authentication-config'].some((flag) => flag in apiserver.extraArgs);

/**
 * Returns whether kubexm configures admission plugins. A configuration file set in the cluster file takes precedence.
 */
export const configuresAdmission = ({ security, kubernetes: { apiserver } }: Hardened): boolean =>
  isCis({ security }) && !('admission-control-config-file' in apiserver.extraArgs);

/**
 * Returns the admission plugins to enable in addition to the Kubernetes defaults, including those in the cluster file.
 */
export const admissionPlugins = (cluster: Hardened): readonly string[] => [
  ...new Set([
    'NodeRestriction',
    ...(isCis(cluster) ? ['DenyServiceExternalIPs'] : []),
    ...(configuresAdmission(cluster) ? ['EventRateLimit'] : []),
    ...(cluster.kubernetes.apiserver.extraArgs['enable-admission-plugins'] ?? '').split(',').filter(Boolean),
  ]),
];

/** Returns whether the API servers support validating admission policies. */
export const hasAdmissionPolicies = ({ kubernetes: { version } }: Cluster): boolean => minorOf(version) >= 30;
