import { sh, type Command } from '../../../runner/command.ts';
import { DOCKER } from '../../../template/docker.ts';
import type { Restore } from '../../contract/part.ts';
import { ownerRecord, restoreRuntimeOwner } from '../shared/record-owner.ts';

/** Removes the network of an uninstalled Docker, as long as the record tells that kubexm installed it, and then the record. */
export const restoreDockerOwner: Restore = async (ctx, runtime, before) => {
  await ctx.runner.run(removeDockerNetworks(ownerRecord(ctx, runtime)));
  await restoreRuntimeOwner(ctx, runtime, before);
};

/** A command that depends on the path of the owner record. */
export type OwnerCommand = (owner: string) => Command;

/** Prints what Docker left behind, one line each. */
export const listDockerNetworks: OwnerCommand = (owner) => ({
  text: `${onlyIfRemoved(owner).text}
[ ! -d /sys/class/net/docker0 ] || echo 'docker0 exists'
for at in ${STATE}; do [ ! -e $at ] || echo "$at exists"; done
for tool in iptables ip6tables; do
  ! command -v $tool-save >/dev/null || ! $tool-save 2>/dev/null | grep -q '^:DOCKER' || echo "$tool has Docker chains"
done`,
  display: 'list Docker networks',
});

/** Removes chains by name, so that other rules in the same tables stay. Empty tables are deleted. */
export const removeDockerNetworks: OwnerCommand = (owner) => ({
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
rm -rf -- ${STATE}`,
  display: 'remove Docker networks and firewall rules',
});

/** Sockets and state that Docker and cri-dockerd leave behind. */
const STATE = `/run/docker /run/docker.pid /run/docker.sock ${DOCKER.socket} ${DOCKER.criState}`;

/** Skips hosts on which Docker existed before or is still installed. */
const onlyIfRemoved = (owner: string) =>
  sh`[ "$(cat ${owner} 2>/dev/null)" = kubexm ] && [ -z "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || exit 0`;
