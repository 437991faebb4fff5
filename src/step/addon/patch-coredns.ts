import { sh } from '../../runner/command.ts';
import { streamOutput } from '../contract/output.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { StepContext } from '../contract/part.ts';

/** Changes what the cluster has of CoreDNS; runs on a master. */
export const patchCoreDns = (ctx: StepContext, kind: 'configmap' | 'deployment', change: object) =>
  ctx.runner.run(kubectl(sh`-n kube-system patch ${kind} coredns --type strategic --patch-file /dev/stdin`), {
    ...streamOutput(ctx),
    stdin: JSON.stringify(change),
  });

/** New pods with these marks, one after another: one that cannot start never takes over, and the old ones go on. */
export const restartCoreDns = (ctx: StepContext, annotations: Readonly<Record<string, string | null>>) =>
  patchCoreDns(ctx, 'deployment', { spec: { template: { metadata: { annotations } } } });
