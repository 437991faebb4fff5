import { sh, type Command } from '../../runner/command.ts';
import { CONTAINERD } from '../../template/containerd.ts';
import { findingOf } from '../difference.ts';
import { hearing } from '../hearing.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';

/** Nothing runs in a containerd that kubexm brought: comes before it is removed. */
export const clearContainerd = (dataDir: string = CONTAINERD.root): Step =>
  defineStep({
    name: 'containerd.clear',
    summary: 'Stop and remove all pods and containers',
    timeoutMs: 600_000,
    parts: () => [nothingRuns(dataDir)],
  });

const nothingRuns = (dataDir: string): GenericStep =>
  Object.freeze<GenericStep>({
    summary: 'remove pods and containers, and what they mounted',
    async precheck({ runner }) {
      const { stdout } = await runner.look(left(dataDir));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(clear(dataDir), hearing(ctx));
    },
  });

/** A containerd that somebody else brought is left alone. */
const OURS = sh`grep -qsx '# Written by kubexm.' ${CONTAINERD.unitFile}`;

const helpers = (dataDir: string): string => `shims() { for p in /proc/[0-9]*; do
  tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -q '^[^ ]*containerd-shim.* -address ${CONTAINERD.socket} ' && echo "\${p#/proc/}"
done; true; }
mounts() { ${sh`awk -v a=${`${dataDir}/`} -v b=${`${CONTAINERD.state}/`}`.text} -v c=/run/netns/cni- \\
  'index($2, a) == 1 || index($2, b) == 1 || index($2, c) == 1 { print $2 }' /proc/self/mounts | sort -r; }`;

const left = (dataDir: string): Command => ({
  text: `${OURS.text} || exit 0
${helpers(dataDir)}
n=$(shims | grep -c .); [ "$n" = 0 ] || echo "$n containers run"
n=$(mounts | grep -c .); [ "$n" = 0 ] || echo "$n file systems are mounted"
${sh`[ ! -e ${CONTAINERD.state} ] || echo ${`${CONTAINERD.state} is there`}`.text}`,
  display: 'look for containers',
});

// First as its users would; then what did not go is made to.
const clear = (dataDir: string): Command => ({
  text: `${OURS.text} || exit 0
${helpers(dataDir)}
PATH=/usr/local/bin:$PATH
if timeout 10 ctr version >/dev/null 2>&1; then
  crictl pods -q | while read -r p; do timeout 60 crictl stopp "$p" && timeout 60 crictl rmp "$p"; done
  ctr ns ls -q | while read -r n; do
    ctr -n "$n" tasks ls -q | while read -r c; do timeout 20 ctr -n "$n" tasks rm -f "$c"; done
    ctr -n "$n" containers ls -q | while read -r c; do timeout 20 ctr -n "$n" containers rm "$c"; done
  done
fi
${sh`systemctl stop ${CONTAINERD.unit}`.text}
for p in $(shims); do kill -KILL $(ps -o pid= --ppid "$p") "$p" 2>/dev/null; done
systemctl stop 'cri-containerd-*.scope' 2>/dev/null
n=0; while [ -n "$(shims)" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
mounts | while IFS= read -r m; do m=$(printf '%b' "$m"); umount "$m" 2>/dev/null || umount -l "$m"; done
rm -f /run/netns/cni-*
${sh`rm -rf -- ${CONTAINERD.state}`.text}`,
  display: 'remove all pods and containers',
});
