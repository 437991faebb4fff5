import { sh } from '../../runner/command.ts';
import { streamOutput } from '../contract/output.ts';
import { FIELD_MANAGER } from '../kubernetes-object/changed-field.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { StepContext } from '../contract/part.ts';

/** Patches an object of CoreDNS; runs on a master. */
export const patchCoreDns = (ctx: StepContext, kind: 'configmap' | 'deployment', change: object) =>
  ctx.runner.run(
    kubectl(
      sh`-n kube-system patch ${kind} coredns --type strategic --field-manager=${FIELD_MANAGER} --patch-file /dev/stdin`,
    ),
    {
      ...streamOutput(ctx),
      stdin: JSON.stringify(change),
    },
  );

/** Starts a rolling update with these annotations; if a new Pod cannot start, the old ones keep running. */
export const restartCoreDns = (ctx: StepContext, annotations: Readonly<Record<string, string | null>>) =>
  patchCoreDns(ctx, 'deployment', { spec: { template: { metadata: { annotations } } } });
