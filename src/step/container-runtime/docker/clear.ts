import { sh, type Command } from '../../../runner/command.ts';
import { DOCKER } from '../../../template/docker.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { ownerRecord } from '../shared/record-owner.ts';
import type { PartKey } from '../../contract/key.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Removes the containers of Docker if kubexm configured it. */
export const clearDocker: Step = defineStep({
  name: 'docker.clear',
  summary: 'Remove pods and containers',
  timeoutMs: 600_000,
  parts: () => [cleared('cleared:docker', 'remove Docker containers', listContainers, removeContainers)],
});

/** Removes the networks and firewall rules that Docker leaves behind; runs after Docker was removed. */
export const clearDockerNetwork: Step = defineStep({
  name: 'docker.clear-network',
  summary: 'Remove Docker networks and firewall rules',
  parts: () => [
    cleared('cleared:docker-network', 'remove Docker networks and firewall rules', listNetworks, removeNetworks),
  ],
});

type OwnerCommand = (owner: string) => Command;

/** Done if `list` prints nothing. */
const cleared = (key: PartKey, summary: string, list: OwnerCommand, remove: OwnerCommand): GenericStep =>
  Object.freeze<GenericStep>({
    key,
    summary,
    async precheck(ctx) {
      const { stdout } = await ctx.runner.query(list(ownerRecord(ctx, 'docker')));
      return findingOf(stdout.split('\n').filter(Boolean));
    },
    async run(ctx) {
      await ctx.runner.run(remove(ownerRecord(ctx, 'docker')), streamOutput(ctx));
    },
  });

/** Selects all containers if kubexm installed Docker; only those of pods if Docker existed before. */
const selectContainers = (owner: string) => sh`grep -qsx '# Written by kubexm.' ${DOCKER.dropIn} || exit 0
PATH=/usr/local/bin:$PATH
case $(cat ${owner} 2>/dev/null) in kubexm) of=;; *) of='--filter name=^/k8s_';; esac`;

const listContainers = (owner: string): Command => ({
  text: sh`${selectContainers(owner)}
n=$(timeout 20 docker ps -aq $of 2>/dev/null | grep -c .); [ "$n" = 0 ] || echo "$n containers exist"`.text,
  display: 'list Docker containers',
});

const removeContainers = (owner: string): Command => ({
  text: sh`${selectContainers(owner)}
docker ps -aq $of | xargs -r docker rm -f -v >/dev/null`.text,
  display: 'remove Docker containers',
});

/** Skips hosts on which Docker existed before or is still installed. */
const onlyIfRemoved = (owner: string) =>
  sh`[ "$(cat ${owner} 2>/dev/null)" = kubexm ] && [ -z "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || exit 0`;

const listNetworks = (owner: string): Command => ({
  text: `${onlyIfRemoved(owner).text}
[ ! -d /sys/class/net/docker0 ] || echo 'docker0 exists'
[ ! -e /run/docker ] || echo '/run/docker exists'
for tool in iptables ip6tables; do
  ! command -v $tool-save >/dev/null || ! $tool-save 2>/dev/null | grep -q '^:DOCKER' || echo "$tool has Docker chains"
done`,
  display: 'list Docker networks',
});

// Removes chains by name, so that other rules in the same tables stay. Empty tables are deleted.
const removeNetworks = (owner: string): Command => ({
  text: String.raw`${onlyIfRemoved(owner).text}
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
  display: 'remove Docker networks and firewall rules',
});
