import { count, kubectlOn, kubernetesIn, SILENT, type HealthCheck } from '../check.ts';

export const pods: HealthCheck = {
  name: 'pods',
  condition: 'SystemPodsReady',
  judge: (scene) => {
    const seen = kubernetesIn(scene)?.pods;
    if (!seen) return SILENT;
    const failed = seen.filter(({ ready }) => !ready);
    const findings = failed.map(({ namespace, name, node, state, restarts }) => ({
      host: node || 'no node',
      severity: 'failed' as const,
      found: `${namespace}/${name} is ${state}${restarts > 0 ? ` after ${count(restarts, 'restart')}` : ''}`,
      next: kubectlOn(scene, `-n ${namespace} describe pod ${name}`),
    }));
    const ready = seen.length - failed.length;
    return {
      type: 'judged',
      found:
        failed.length === 0
          ? `${count(ready, 'pod')} of the system ready`
          : `${ready} of ${seen.length} pods of the system ready`,
      findings,
    };
  },
};
