import { sh, type Command } from '../runner/command.ts';
import { findingOf } from './difference.ts';
import { hearing } from './hearing.ts';
import { defineStep, type GenericStep, type Step } from './step.ts';

/** A runtime that can be cleared by what the kubelet speaks alone. */
export interface ClearedRuntime {
  readonly name: string;
  readonly unit: string;
  /** Says yes while the runtime is one that kubexm brought. */
  readonly ours: Command;
}

/** Nothing runs in a runtime that kubexm brought: comes before it is removed. */
export const clearPods = (runtime: ClearedRuntime): Step =>
  defineStep({
    name: `${runtime.name}.clear`,
    summary: 'Stop and remove all pods and containers',
    timeoutMs: 600_000,
    parts: () => [nothingRuns(runtime)],
  });

const nothingRuns = ({ name, unit, ours }: ClearedRuntime): GenericStep =>
  Object.freeze<GenericStep>({
    summary: `remove pods and containers of ${name}`,
    async precheck({ runner }) {
      const { stdout } = await runner.look(left(ours));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(clear(ours, unit), hearing(ctx));
    },
  });

const left = (ours: Command): Command =>
  sh`${ours} || exit 0
PATH=/usr/local/bin:$PATH
n=$(timeout 20 crictl pods -q 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n pods are there"`;

const clear = (ours: Command, unit: string): Command =>
  sh`${ours} || exit 0
PATH=/usr/local/bin:$PATH
crictl pods -q | while read -r p; do timeout 60 crictl stopp "$p"; timeout 60 crictl rmp -f "$p"; done
crictl ps -aq | while read -r c; do timeout 60 crictl rm -f "$c"; done
systemctl stop ${unit}`;
