import { sh, type Command } from '../../runner/command.ts';
import { DOCKER } from '../../template/docker.ts';
import { findingOf } from '../difference.ts';
import { hearing } from '../hearing.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';

/** Nothing runs in a docker that kubexm configured: comes before it is removed. */
export const clearDocker: Step = defineStep({
  name: 'docker.clear',
  summary: 'Stop and remove all pods and containers',
  timeoutMs: 600_000,
  parts: () => [nothing('remove pods and containers of docker', CONTAINERS_LEFT, REMOVE_CONTAINERS)],
});

/** Of a docker that is gone nothing is left in the network of the host: comes after it was removed. */
export const clearDockerNetwork: Step = defineStep({
  name: 'docker.clear-network',
  summary: 'Remove what docker left in the network of the host',
  parts: () => [nothing('remove the networks and rules of docker', NETWORK_LEFT, REMOVE_NETWORK)],
});

const nothing = (summary: string, left: Command, remove: Command): GenericStep =>
  Object.freeze<GenericStep>({
    summary,
    async precheck({ runner }) {
      const { stdout } = await runner.look(left);
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(remove, hearing(ctx));
    },
  });

/** A docker that somebody else looks after is left alone. */
const OURS = sh`grep -qsx '# Written by kubexm.' ${DOCKER.dropIn}`;

const CONTAINERS_LEFT: Command = {
  text: sh`${OURS} || exit 0
PATH=/usr/local/bin:$PATH
n=$(timeout 20 docker ps -aq 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n containers are there"`.text,
  display: 'look for containers of docker',
};

const REMOVE_CONTAINERS: Command = {
  text: sh`${OURS} || exit 0
PATH=/usr/local/bin:$PATH
docker ps -aq | xargs -r docker rm -f -v >/dev/null`.text,
  display: 'remove all containers of docker',
};

const GONE = '! PATH=/usr/local/bin:$PATH command -v dockerd >/dev/null || exit 0';

const NETWORK_LEFT: Command = {
  text: `${GONE}
[ ! -d /sys/class/net/docker0 ] || echo 'docker0 is there'
[ ! -e /run/docker ] || echo '/run/docker is there'
for tool in iptables ip6tables; do
  ! command -v $tool-save >/dev/null || ! $tool-save 2>/dev/null | grep -q '^:DOCKER' || echo "$tool has chains of docker"
done`,
  display: 'look for networks of docker',
};

// Chains go by their names only: rules of others in the same tables stay. A table in which nothing is left does nothing.
const REMOVE_NETWORK: Command = {
  text: String.raw`${GONE}
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
};
