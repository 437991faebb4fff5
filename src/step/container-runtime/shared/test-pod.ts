import { dirname, join } from 'node:path/posix';
import { sh, type Command } from '../../../runner/command.ts';
import { DONE } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import type { GenericStep, Restore, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Runs a test pod once for each set of versions, and removes it. */
export const runTestPod = (runtime: string, versions: string): Step =>
  defineStep({
    name: `${runtime}.prove`,
    summary: 'Run a test pod',
    reversible: true,
    parts: () => [testPod(runtime, versions)],
  });

const testPod = (runtime: string, versions: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: `pod-proof:${runtime}`,
    summary: 'run a test pod',
    formerly: ['ran pod', 'run a pod and remove it'],
    async precheck(ctx) {
      const recorded = await ctx.runner.read(recordPath(ctx, runtime));
      if (recorded === versions) return DONE;
      return { done: false, because: `not run yet with ${versions.trim().replaceAll('\n', ', ')}` };
    },
    async run(ctx) {
      await ctx.runner.run(RUN_POD, { ...streamOutput(ctx), stdin: JSON.stringify(POD) });
      await ctx.runner.write({ path: recordPath(ctx, runtime), content: versions, mode: 0o600, owner: 'root:root' });
    },
    rollback: (ctx, before) => restoreTestPod(ctx, runtime, before),
  });

/** Removes the record of the test. */
export const restoreTestPod: Restore = async (ctx, runtime) => {
  const path = recordPath(ctx, runtime);
  await ctx.runner.run(sh`rm -f -- ${path} && { rmdir -- ${dirname(path)} 2>/dev/null || true; }`);
};

const recordPath = ({ originDir }: StepContext, runtime: string) => join(dirname(originDir), 'proven', runtime);

// In the host network, because there is no pod network yet.
const POD = {
  metadata: { name: 'kubexm-proof', namespace: 'kubexm', uid: 'kubexm-proof', attempt: 1 },
  linux: { cgroup_parent: 'system.slice', security_context: { namespace_options: { network: 2 } } },
};

const RUN_POD: Command = {
  text: sh`umask 077; d=$(mktemp -d) && trap 'rm -rf -- "$d"' EXIT && cat >"$d/pod.json" || exit
PATH=/usr/local/bin:$PATH
clear() { crictl pods -q --name kubexm-proof | while read -r p; do crictl stopp "$p" >/dev/null && crictl rmp "$p" >/dev/null || exit; done; }
clear || exit
p=$(crictl runp "$d/pod.json") || { clear; exit 1; }
crictl pods -q --state ready | grep -q "^$(printf %.10s "$p")" || { echo 'the pod is not ready' >&2; clear; exit 1; }
clear`.text,
  display: 'crictl runp',
};
