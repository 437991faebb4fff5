import { sh, type Command } from '../../../runner/command.ts';
import { DOCKER } from '../../../template/docker.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { ownerRecord } from '../shared/record-owner.ts';
import { listDockerNetworks, removeDockerNetworks, type OwnerCommand } from './networks.ts';
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
    cleared(
      'cleared:docker-network',
      'remove Docker networks and firewall rules',
      listDockerNetworks,
      removeDockerNetworks,
    ),
  ],
});

/** Runs `remove` unless `list` prints nothing. */
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
