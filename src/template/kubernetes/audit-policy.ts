import { yamlDocuments } from '../yaml-documents.ts';

/** The audit policy. It omits the contents of Secrets and routine requests of components. */
export const auditPolicy = (): string =>
  yamlDocuments([
    {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [
        { level: 'None', users: ['system:kube-proxy'], verbs: ['watch'] },
        { level: 'None', userGroups: ['system:nodes'], verbs: ['get', 'list', 'watch'] },
        { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
        { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/metrics', '/openapi*'] },
        { level: 'None', resources: [{ group: '', resources: ['events'] }] },
        {
          level: 'Metadata',
          resources: [
            { group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
            { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
          ],
        },
        { level: 'Metadata', verbs: ['get', 'list', 'watch'] },
        { level: 'Request' },
      ],
    },
  ]);
