import { NETWORK_PLUGINS } from '../../config/model/network-plugins.ts';
import { yamlDocuments } from '../yaml-documents.ts';

/** The configuration of admission plugins: Pod Security defaults and limits on events. */
export const admissionConfig = (): string =>
  yamlDocuments([
    {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [
        { name: 'PodSecurity', configuration: podSecurity },
        { name: 'EventRateLimit', configuration: eventRateLimit },
      ],
    },
  ]);

/** Labels of a namespace take precedence, so that a namespace can allow more or less. */
const podSecurity = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
  defaults: {
    enforce: 'baseline',
    'enforce-version': 'latest',
    audit: 'restricted',
    'audit-version': 'latest',
    warn: 'restricted',
    'warn-version': 'latest',
  },
  exemptions: {
    usernames: [],
    runtimeClasses: [],
    // Pods of network plugins, storage and monitoring use the host. The list does not depend on the addons of a cluster,
    // so that installing one does not restart API servers.
    namespaces: [
      'kube-system',
      ...Object.values(NETWORK_PLUGINS).flatMap(({ namespaces }) => namespaces),
      'local-path-storage',
      'longhorn-system',
      'metallb-system',
      'monitoring',
      'nfs-client',
      'node-feature-discovery',
      'openebs',
    ],
  },
};

/** Limits per API server; far above what a healthy cluster creates. */
const eventRateLimit = {
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits: [
    { type: 'Server', qps: 500, burst: 5000 },
    { type: 'Namespace', qps: 100, burst: 1000, cacheSize: 2000 },
    { type: 'User', qps: 100, burst: 1000, cacheSize: 2000 },
  ],
};
