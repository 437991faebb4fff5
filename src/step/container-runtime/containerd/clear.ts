import { sh, type Command } from '../../../runner/command.ts';
import { CONTAINERD } from '../../../template/containerd.ts';
import { NETWORK_NAMESPACES } from '../../common/owned-directory.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { REMOVE_LEFTOVERS, leftoverFunctions, LIST_LEFTOVERS } from '../shared/leftovers.ts';
import { ownedDirectories } from '../../contract/origin.ts';
import { ownerRecord } from '../shared/record-owner.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Removes all containers if kubexm installed containerd; only pods if containerd existed before. */
export const clearContainerd: Step = defineStep({
  name: 'containerd.clear',
  summary: 'Remove pods and containers',
  timeoutMs: 600_000,
  parts: () => [noContainers],
});

const noContainers: GenericStep = Object.freeze<GenericStep>({
  key: 'cleared:containerd',
  summary: 'remove pods, containers and their mounts',
  async precheck(ctx) {
    const { stdout } = await ctx.runner.query(listCommand(ctx));
    return findingOf(stdout.split('\n').filter(Boolean));
  },
  async run(ctx) {
    await ctx.runner.run(removeCommand(ctx), streamOutput(ctx));
  },
});

/** Skips hosts on which kubexm never configured containerd. Sets `all` if kubexm installed it. */
const scriptStart = (ctx: StepContext): string => {
  const ours = sh`grep -qsx '# Written by kubexm.' ${CONTAINERD.unitFile} || exit 0
case $(cat ${ownerRecord(ctx, 'containerd')} 2>/dev/null) in kubexm) all=yes;; *) all=;; esac`;
  const { socket, state } = CONTAINERD;
  const shim = '^[^ ]*containerd-shim.* ';
  const functions = leftoverFunctions({
    shims: sh`[ "$all" ] && echo ${`${shim}-address ${socket} `} || echo ${`${shim}-namespace k8s\\.io .*-address ${socket} `}`,
    mounts: sh`if [ "$all" ]; then ${ownedDirectories(ctx.originDir, 'containerd.run')} | grep -vx ${NETWORK_NAMESPACES} | sed 's|$|/|'
else printf '%s\n' ${state}/io.containerd.runtime.v2.task/k8s.io/ ${state}/io.containerd.grpc.v1.cri/; fi; echo /run/netns/cni-`,
  });
  return `${ours.text}\n${functions}`;
};

const listCommand = (ctx: StepContext): Command => ({
  text: `${scriptStart(ctx)}
${LIST_LEFTOVERS}
${sh`[ ! "$all" ] || [ ! -e ${CONTAINERD.state} ] || echo ${`${CONTAINERD.state} exists`}`.text}`,
  display: 'list pods and containers',
});

// Tries the regular commands first, then kills and unmounts what is left.
const removeCommand = (ctx: StepContext): Command => ({
  text: `${scriptStart(ctx)}
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
  display: 'remove pods and containers',
});
