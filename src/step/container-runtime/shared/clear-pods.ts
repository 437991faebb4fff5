import { sh, type Command } from '../../../runner/command.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { REMOVE_LEFTOVERS, leftoverFunctions, LIST_LEFTOVERS } from './leftovers.ts';
import { ownedDirectories } from '../../contract/origin.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** A runtime that can be cleared by what the kubelet speaks alone. */
export interface ClearedRuntime {
  readonly name: string;
  readonly unit: string;
  /** Says yes while the runtime is one that kubexm brought. */
  readonly ours: Command;
  /** An extended expression for the command lines of the processes that keep its containers. */
  readonly keepers: string;
}

/** Nothing runs in a runtime that kubexm brought: comes before it is removed. */
export const clearPods = (runtime: ClearedRuntime): Step =>
  defineStep({
    name: `${runtime.name}.clear`,
    summary: 'Stop and remove all pods and containers',
    timeoutMs: 600_000,
    parts: () => [nothingRuns(runtime)],
  });

const nothingRuns = (runtime: ClearedRuntime): GenericStep =>
  Object.freeze<GenericStep>({
    key: `cleared:${runtime.name}`,
    summary: `remove pods and containers of ${runtime.name}`,
    async precheck({ runner, originDir }) {
      const { stdout } = await runner.query(left(runtime, originDir));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(clear(runtime, ctx.originDir), streamOutput(ctx));
    },
  });

/** Whatever folders it was given in its time. */
const functionsOf = ({ name, keepers }: ClearedRuntime, originDir: string): string =>
  leftoverFunctions({
    keepers: sh`printf %s ${keepers}`,
    mounts: sh`${ownedDirectories(originDir, `${name}.run`)} | sed 's|$|/|'; echo /run/netns/cni-`,
  });

const left = (runtime: ClearedRuntime, originDir: string): Command => ({
  text: `${runtime.ours.text} || exit 0
PATH=/usr/local/bin:$PATH
n=$(timeout 20 crictl pods -q 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n pods are there"
${functionsOf(runtime, originDir)}
${LIST_LEFTOVERS}`,
  display: `look for containers of ${runtime.name}`,
});

// First as its users would; then what did not go is made to.
const clear = (runtime: ClearedRuntime, originDir: string): Command => ({
  text: `${runtime.ours.text} || exit 0
PATH=/usr/local/bin:$PATH
timeout 20 crictl pods -q | while read -r p; do timeout 60 crictl stopp "$p"; timeout 60 crictl rmp -f "$p"; done
timeout 20 crictl ps -aq | while read -r c; do timeout 60 crictl rm -f "$c"; done
${sh`systemctl stop ${runtime.unit}`.text}
${functionsOf(runtime, originDir)}
${REMOVE_LEFTOVERS}`,
  display: `remove all pods and containers of ${runtime.name}`,
});
