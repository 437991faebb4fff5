import { minorOf } from '../../config/model/version.ts';
import { yamlDocuments } from '../yaml-documents.ts';

/** API servers answer anonymous requests to these paths only: load balancers and kubelets probe them without credentials. */
export const HEALTH_PATHS = ['/healthz', '/livez', '/readyz'] as const;

/** The authentication configuration of the API server, besides certificates, tokens and service accounts. */
export const authenticationConfig = (kubernetes: string): string =>
  yamlDocuments([
    {
      apiVersion: `apiserver.config.k8s.io/${minorOf(kubernetes) >= 34 ? 'v1' : 'v1beta1'}`,
      kind: 'AuthenticationConfiguration',
      anonymous: { enabled: true, conditions: HEALTH_PATHS.map((path) => ({ path })) },
    },
  ]);
