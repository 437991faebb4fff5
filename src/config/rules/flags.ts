import { quoted } from '../diagnostic/quote.ts';
import { ANONYMOUS_PATHS_SINCE } from '../model/security.ts';
import { minorOf } from '../model/version.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, type Rule } from './rule.ts';

const apiserverFlag = (name: string) => ['kubernetes', 'apiserver', 'extraArgs', name];

/** Rules about flags that would break the cluster. */
export const flagRules: readonly Rule[] = [
  {
    id: 'apiserver-anonymous-auth',
    severity: 'error',
    about:
      'anonymous-auth must not be false with kubernetes.type kubeadm or with haproxy, whose health checks send no credentials.',
    check: (spec) => {
      const { apiserver, version } = spec.kubernetes;
      const checker = anonymousChecker(spec);
      if (apiserver.extraArgs['anonymous-auth'] !== 'false' || checker === undefined) return [];
      const instead =
        minorOf(version) >= ANONYMOUS_PATHS_SINCE
          ? '; set spec.security.profile to cis instead, which limits anonymous requests to health endpoints'
          : '';
      return [
        finding(
          apiserverFlag('anonymous-auth'),
          `makes the health checks of ${checker} fail${instead}`,
          quoted('false'),
        ),
      ];
    },
  },
  {
    id: 'apiserver-authorization-mode',
    severity: 'error',
    about:
      'authorization-mode must include Node and RBAC, which kubelets and control plane components require to use the API.',
    check: ({ kubernetes: { apiserver } }) => {
      const mode = apiserver.extraArgs['authorization-mode'];
      const missing = ['Node', 'RBAC'].filter((name) => !mode?.split(',').includes(name));
      return mode !== undefined && missing.length > 0
        ? [finding(apiserverFlag('authorization-mode'), `must include ${missing.join(' and ')}`, quoted(mode))]
        : [];
    },
  },
];

/** Returns the component that checks the health of API servers without credentials. */
function anonymousChecker({ kubernetes, controlPlaneEndpoint }: Spec): string | undefined {
  if (kubernetes.type === 'kubeadm') return 'the static Pods of kubeadm';
  const { externalLoadBalancer, internalLoadbalancer } = controlPlaneEndpoint;
  return externalLoadBalancer === 'kubexm-kh' || internalLoadbalancer === 'haproxy' ? 'haproxy' : undefined;
}
