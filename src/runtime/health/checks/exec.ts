import { commandOn, count, kubernetesState, NO_API_SERVER, type HealthCheck } from '../check.ts';

/** Tests the path of `kubectl exec`, `attach` and `port-forward`: API server, kubelet, container runtime. */
export const exec: HealthCheck = {
  name: 'exec',
  condition: 'ExecWorks',
  evaluate: (input) => {
    if (!kubernetesState(input)) return NO_API_SERVER;
    const failed = input.exec.filter(({ result }) => !result.ok);
    const all = input.exec.length;
    return {
      type: 'evaluated',
      found:
        all === 0
          ? 'there is no ready system pod to try kubectl exec on'
          : `kubectl exec works on ${failed.length === 0 ? count(all, 'node') : `${all - failed.length} of ${all} nodes`}`,
      findings: failed.map(({ node, result }) => ({
        host: node,
        severity: 'failed',
        found: result.detail,
        next: commandOn(input, node, 'journalctl -u kubelet -n 30'),
      })),
    };
  },
};
