import { dirname, join } from 'node:path/posix';
import { sh, type Command } from '../../../runner/command.ts';
import { DONE } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import type { GenericStep, Restore, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** A pod ran in a runtime with exactly these versions; it is tried once for them and leaves nothing. */
export const runTestPod = (runtime: string, versions: string): Step =>
  defineStep({
    name: `${runtime}.prove`,
    summary: 'Run a pod to see that it works',
    reversible: true,
    parts: () => [ranPod(runtime, versions)],
  });

const ranPod = (runtime: string, versions: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: `pod-proof:${runtime}`,
    summary: 'run a pod and remove it',
    formerly: ['ran pod', 'run a pod and remove it'],
    async precheck(ctx) {
      const known = await ctx.runner.read(noteOf(ctx, runtime));
      if (known === versions) return DONE;
      return { done: false, because: `no pod has run yet with ${versions.trim().replaceAll('\n', ', ')}` };
    },
    async run(ctx) {
      await ctx.runner.run(TRY, { ...streamOutput(ctx), stdin: JSON.stringify(POD) });
      await ctx.runner.write({ path: noteOf(ctx, runtime), content: versions, mode: 0o600, owner: 'root:root' });
    },
    rollback: (ctx, before) => restoreTestPod(ctx, runtime, before),
  });

/** Forgets that a pod ran. */
export const restoreTestPod: Restore = async (ctx, runtime) => {
  const note = noteOf(ctx, runtime);
  await ctx.runner.run(sh`rm -f -- ${note} && { rmdir -- ${dirname(note)} 2>/dev/null || true; }`);
};

const noteOf = ({ originDir }: StepContext, runtime: string) => join(dirname(originDir), 'proven', runtime);

// In the network of the host: pods have none yet.
const POD = {
  metadata: { name: 'kubexm-proof', namespace: 'kubexm', uid: 'kubexm-proof', attempt: 1 },
  linux: { cgroup_parent: 'system.slice', security_context: { namespace_options: { network: 2 } } },
};

const TRY: Command = {
  text: sh`umask 077; d=$(mktemp -d) && trap 'rm -rf -- "$d"' EXIT && cat >"$d/pod.json" || exit
PATH=/usr/local/bin:$PATH
clear() { crictl pods -q --name kubexm-proof | while read -r p; do crictl stopp "$p" >/dev/null && crictl rmp "$p" >/dev/null || exit; done; }
clear || exit
p=$(crictl runp "$d/pod.json") || { clear; exit 1; }
crictl pods -q --state ready | grep -q "^$(printf %.10s "$p")" || { echo 'the pod does not run' >&2; clear; exit 1; }
clear`.text,
  display: 'crictl runp',
};
