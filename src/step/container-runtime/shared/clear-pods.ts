import { sh, type Command } from '../../../runner/command.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { REMOVE_LEFTOVERS, leftoverFunctions, LIST_LEFTOVERS } from './leftovers.ts';
import { ownedDirectories } from '../../contract/origin.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** A runtime whose pods and containers can be removed with crictl. */
export interface ClearedRuntime {
  readonly name: string;
  readonly unit: string;
  /** Succeeds if kubexm configured the runtime. */
  readonly ours: Command;
  /** An extended regular expression for the command lines of its shims. */
  readonly shims: string;
}

/** Removes the pods and containers of a runtime that kubexm configured. */
export const clearPods = (runtime: ClearedRuntime): Step =>
  defineStep({
    name: `${runtime.name}.clear`,
    summary: 'Remove pods and containers',
    timeoutMs: 600_000,
    parts: () => [noContainers(runtime)],
  });

const noContainers = (runtime: ClearedRuntime): GenericStep =>
  Object.freeze<GenericStep>({
    key: `cleared:${runtime.name}`,
    summary: `remove the pods and containers of ${runtime.name}`,
    async precheck({ runner, originDir }) {
      const { stdout } = await runner.query(listCommand(runtime, originDir));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(removeCommand(runtime, ctx.originDir), streamOutput(ctx));
    },
  });

/** Covers every data directory that the runtime has had. */
const functionsOf = ({ name, shims }: ClearedRuntime, originDir: string): string =>
  leftoverFunctions({
    shims: sh`printf %s ${shims}`,
    // In /run/netns, others have network namespaces, too.
    mounts: sh`${ownedDirectories(originDir, `${name}.run`)} | grep -vx /run/netns | sed 's|$|/|'; echo /run/netns/cni-`,
  });

const listCommand = (runtime: ClearedRuntime, originDir: string): Command => ({
  text: `${runtime.ours.text} || exit 0
PATH=/usr/local/bin:$PATH
n=$(timeout 20 crictl pods -q 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n pods exist"
${functionsOf(runtime, originDir)}
${LIST_LEFTOVERS}`,
  display: `list pods and containers of ${runtime.name}`,
});

// Tries the regular commands first, then kills and unmounts what is left.
const removeCommand = (runtime: ClearedRuntime, originDir: string): Command => ({
  text: `${runtime.ours.text} || exit 0
PATH=/usr/local/bin:$PATH
timeout 20 crictl pods -q | while read -r p; do timeout 60 crictl stopp "$p"; timeout 60 crictl rmp -f "$p"; done
timeout 20 crictl ps -aq | while read -r c; do timeout 60 crictl rm -f "$c"; done
${sh`systemctl stop ${runtime.unit}`.text}
${functionsOf(runtime, originDir)}
${REMOVE_LEFTOVERS}`,
  display: `remove the pods and containers of ${runtime.name}`,
});
