import { sh, type Command } from '../../../runner/command.ts';
import { CONTAINERD } from '../../../template/containerd.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { REMOVE_LEFTOVERS, leftoverFunctions, LIST_LEFTOVERS } from '../shared/leftovers.ts';
import { ownedDirectories } from '../../contract/origin.ts';
import { ownerRecord } from '../shared/record-owner.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Nothing runs in a containerd that kubexm brought, and no pod in one that was there before: comes before it is removed. */
export const clearContainerd: Step = defineStep({
  name: 'containerd.clear',
  summary: 'Stop and remove all pods and containers',
  timeoutMs: 600_000,
  parts: () => [nothingRuns],
});

const nothingRuns: GenericStep = Object.freeze<GenericStep>({
  key: 'cleared:containerd',
  summary: 'remove pods and containers, and what they mounted',
  async precheck(ctx) {
    const { stdout } = await ctx.runner.query(left(ctx));
    return findingOf(stdout.split('\n').filter(Boolean));
  },
  async run(ctx) {
    await ctx.runner.run(clear(ctx), streamOutput(ctx));
  },
});

/** One that somebody else installed and we never touched is left alone; of one that we took over, only pods are ours. */
const begin = (ctx: StepContext): string => {
  const ours = sh`grep -qsx '# Written by kubexm.' ${CONTAINERD.unitFile} || exit 0
case $(cat ${ownerRecord(ctx, 'containerd')} 2>/dev/null) in kubexm) all=yes;; *) all=;; esac`;
  const { socket, state } = CONTAINERD;
  const shim = '^[^ ]*containerd-shim.* ';
  const functions = leftoverFunctions({
    keepers: sh`[ "$all" ] && echo ${`${shim}-address ${socket} `} || echo ${`${shim}-namespace k8s\\.io .*-address ${socket} `}`,
    mounts: sh`if [ "$all" ]; then ${ownedDirectories(ctx.originDir, 'containerd.run')} | sed 's|$|/|'
else printf '%s\n' ${state}/io.containerd.runtime.v2.task/k8s.io/ ${state}/io.containerd.grpc.v1.cri/; fi; echo /run/netns/cni-`,
  });
  return `${ours.text}\n${functions}`;
};

const left = (ctx: StepContext): Command => ({
  text: `${begin(ctx)}
${LIST_LEFTOVERS}
${sh`[ ! "$all" ] || [ ! -e ${CONTAINERD.state} ] || echo ${`${CONTAINERD.state} is there`}`.text}`,
  display: 'look for containers',
});

// First as its users would; then what did not go is made to.
const clear = (ctx: StepContext): Command => ({
  text: `${begin(ctx)}
PATH=/usr/local/bin:$PATH
if timeout 10 ctr version >/dev/null 2>&1; then
  crictl pods -q | while read -r p; do timeout 60 crictl stopp "$p" && timeout 60 crictl rmp "$p"; done
  { [ "$all" ] && ctr ns ls -q || echo k8s.io; } | while read -r n; do
    ctr -n "$n" tasks ls -q | while read -r c; do timeout 20 ctr -n "$n" tasks rm -f "$c"; done
    ctr -n "$n" containers ls -q | while read -r c; do timeout 20 ctr -n "$n" containers rm "$c"; done
  done
fi
${sh`systemctl stop ${CONTAINERD.unit}`.text}
${REMOVE_LEFTOVERS}
systemctl stop 'cri-containerd-*.scope' 2>/dev/null
${sh`[ ! "$all" ] || rm -rf -- ${CONTAINERD.state}`.text}`,
  display: 'remove all pods and containers',
});
