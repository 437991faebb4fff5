import { count, kubectlCommand, kubernetesState, NO_API_SERVER, type HealthCheck } from '../check.ts';

export const pods: HealthCheck = {
  name: 'pods',
  condition: 'SystemPodsReady',
  evaluate: (input) => {
    const systemPods = kubernetesState(input)?.pods;
    if (!systemPods) return NO_API_SERVER;
    const failed = systemPods.filter(({ ready }) => !ready);
    const findings = failed.map(({ namespace, name, node, state, restarts }) => ({
      host: node || 'unscheduled',
      severity: 'failed' as const,
      found: `${namespace}/${name} is ${state}${restarts > 0 ? ` after ${count(restarts, 'restart')}` : ''}`,
      next: kubectlCommand(input, `-n ${namespace} describe pod ${name}`),
    }));
    const ready = systemPods.length - failed.length;
    return {
      type: 'evaluated',
      found:
        failed.length === 0
          ? `${count(ready, 'system pod')} ready`
          : `${ready} of ${systemPods.length} system pods ready`,
      findings,
    };
  },
};
