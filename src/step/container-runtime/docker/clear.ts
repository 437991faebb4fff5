import { sh, type Command } from '../../../runner/command.ts';
import { DOCKER } from '../../../template/docker.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { ownerRecord } from '../shared/record-owner.ts';
import type { PartKey } from '../../contract/key.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Nothing runs in a docker that kubexm configured: comes before it is removed. */
export const clearDocker: Step = defineStep({
  name: 'docker.clear',
  summary: 'Stop and remove all pods and containers',
  timeoutMs: 600_000,
  parts: () => [nothing('cleared:docker', 'remove pods and containers of docker', containersLeft, removeContainers)],
});

/** Of a docker that is gone nothing is left in the network of the host: comes after it was removed. */
export const clearDockerNetwork: Step = defineStep({
  name: 'docker.clear-network',
  summary: 'Remove what docker left in the network of the host',
  parts: () => [
    nothing('cleared:docker-network', 'remove the networks and rules of docker', networkLeft, removeNetwork),
  ],
});

type About = (owner: string) => Command;

const nothing = (key: PartKey, summary: string, left: About, remove: About): GenericStep =>
  Object.freeze<GenericStep>({
    key,
    summary,
    async precheck(ctx) {
      const { stdout } = await ctx.runner.query(left(ownerRecord(ctx, 'docker')));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(remove(ownerRecord(ctx, 'docker')), streamOutput(ctx));
    },
  });

/** Which containers go: all of a docker that came with the cluster; of one that was here before, those of pods. */
const chosen = (owner: string) => sh`grep -qsx '# Written by kubexm.' ${DOCKER.dropIn} || exit 0
PATH=/usr/local/bin:$PATH
case $(cat ${owner} 2>/dev/null) in kubexm) of=;; *) of='--filter name=^/k8s_';; esac`;

const containersLeft = (owner: string): Command => ({
  text: sh`${chosen(owner)}
n=$(timeout 20 docker ps -aq $of 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n containers are there"`.text,
  display: 'look for containers of docker',
});

const removeContainers = (owner: string): Command => ({
  text: sh`${chosen(owner)}
docker ps -aq $of | xargs -r docker rm -f -v >/dev/null`.text,
  display: 'remove containers of docker',
});

/** Only where docker came with the cluster and is gone. */
const gone = (owner: string) =>
  sh`[ "$(cat ${owner} 2>/dev/null)" = kubexm ] && [ -z "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || exit 0`;

const networkLeft = (owner: string): Command => ({
  text: `${gone(owner).text}
[ ! -d /sys/class/net/docker0 ] || echo 'docker0 is there'
[ ! -e /run/docker ] || echo '/run/docker is there'
for tool in iptables ip6tables; do
  ! command -v $tool-save >/dev/null || ! $tool-save 2>/dev/null | grep -q '^:DOCKER' || echo "$tool has chains of docker"
done`,
  display: 'look for networks of docker',
});

// Chains go by their names only: rules of others in the same tables stay. A table in which nothing is left does nothing.
const removeNetwork = (owner: string): Command => ({
  text: String.raw`${gone(owner).text}
ip link delete docker0 2>/dev/null
for tool in iptables ip6tables; do
  command -v $tool-save >/dev/null && $tool-save 2>/dev/null | grep -q '^:DOCKER' || continue
  $tool-save | grep -vE 'DOCKER|docker0' | $tool-restore || exit
  family=ip; [ $tool = iptables ] || family=ip6
  for table in filter nat; do
    nft list table $family $table 2>/dev/null | grep -qvE '^(table |[[:space:]]*chain |[[:space:]]*type |[[:space:]]*}|$)|^#' || nft delete table $family $table 2>/dev/null
  done
done
sed -n 's|^[^ ]* \(/run/docker/[^ ]*\) .*|\1|p' /proc/mounts | sort -r | while read -r at; do umount "$at" || umount -l "$at"; done
rm -rf -- /run/docker /run/docker.pid /run/docker.sock`,
  display: 'remove the networks and rules of docker',
});
