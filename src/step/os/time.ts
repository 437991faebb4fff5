import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Facts } from '../../runner/facts.ts';
import { OTHER_TIME_SERVICES } from '../../runner/facts/services.ts';
import { chronyConf } from '../../template/chrony.ts';
import { file } from '../common/file.ts';
import { packages } from '../common/packages.ts';
import { stoppedService } from '../common/stopped-service.ts';
import { waitUntil } from '../common/wait-until.ts';
import { configuredService } from '../common/configured-service.ts';
import type { GenericStep, StepContext, StepView } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { undoIfUnchanged } from '../common/undo-if-unchanged.ts';

/** Synchronizes the clock with chrony, from external servers or from one of the hosts. */
export const timeService = (cluster: Cluster) =>
  defineStep({
    name: 'time.chrony',
    summary: 'Configure chrony',
    reversible: true,
    parts: (view) => (cluster.system.time.type === 'none' ? [] : chronyParts(cluster, view)),
  });

/** Waits until chrony has selected a time server that responds. */
export const timeSynced = defineStep({
  name: 'time.synced',
  summary: 'Wait for time synchronization',
  parts: () => [
    waitUntil({
      key: 'wait:time-server',
      summary: 'chrony has selected a time server',
      condition: sh`chronyc -n sources | grep -q '^\^\*'`,
      timeoutMs: TWO_MINUTES,
    }),
  ],
});

const TWO_MINUTES = 120_000;

function chronyParts(cluster: Cluster, view: StepView): readonly GenericStep[] {
  const { conf, unit } = chronyOn(view.facts);
  const content = contentFor(cluster, view);
  return [
    // Two time services would both adjust the clock.
    ...OTHER_TIME_SERVICES.map((name) => stoppedService({ unit: `${name}.service` })),
    packages(['chrony']),
    ...configuredService({
      unit,
      files: [undoIfUnchanged(isUnchanged(cluster, view), file({ path: conf, content }))],
      restartIfNewer: [conf],
    }),
  ];
}

/** Whether chrony still has the configuration that kubexm wrote. */
export const isChronyUnchanged =
  (cluster: Cluster) =>
  async (ctx: StepContext, key: string): Promise<boolean> =>
    key !== `file:${chronyOn(ctx.facts).conf}` || ctx.runner.test(isUnchanged(cluster, ctx));

function isUnchanged(cluster: Cluster, view: StepView): Command {
  const { conf } = chronyOn(view.facts);
  // With time type none, the cluster file no longer lists the servers that were written.
  return cluster.system.time.type === 'none'
    ? sh`grep -qx '# Written by kubexm.' ${conf}`
    : sh`[ "$(cat ${conf})" = ${contentFor(cluster, view).trimEnd()} ]`;
}

const contentFor = (cluster: Cluster, { host, facts }: StepView) =>
  chronyConf({ ...serversAndClients(cluster, host.name), driftFile: chronyOn(facts).driftFile });

const chronyOn = ({ family }: Facts) =>
  family === 'debian'
    ? { conf: '/etc/chrony/chrony.conf', unit: 'chrony.service', driftFile: '/var/lib/chrony/chrony.drift' }
    : { conf: '/etc/chrony.conf', unit: 'chronyd.service', driftFile: '/var/lib/chrony/drift' };

/** The time servers and time clients of a host. */
function serversAndClients({ system: { time }, hosts }: Cluster, name: string) {
  switch (time.type) {
    case 'none':
      return { servers: [], clients: [] };
    case 'outside':
      return { servers: time.servers, clients: [] };
    case 'in-cluster': {
      if (time.host === name) {
        const others = hosts.filter((host) => host.name !== name);
        return { servers: time.upstream, clients: others.flatMap(({ internalAddresses }) => internalAddresses) };
      }
      const server = hosts.find((host) => host.name === time.host);
      return { servers: server ? [server.internalAddresses[0]] : [], clients: [] };
    }
  }
}
