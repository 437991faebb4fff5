import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { UNREACHABLE_HOSTS } from '../contract/reachability.ts';

/** Exactly one load balancer has the virtual address, and each of them reaches the port there. */
export const verifyVip = (cluster: Cluster, address: string): Step =>
  defineStep({
    name: 'load-balancer.verify',
    summary: `See that one host has ${address} and answers there`,
    parts: () => [oneHasIt(address, cluster.endpoint.port)],
  });

function oneHasIt(address: string, port: number): GenericStep {
  return Object.freeze<GenericStep>({
    key: `check:vip-${address}`,
    summary: `see who has ${address}`,
    precheck: async (ctx) => findingOf(await look(ctx, address, port)),
    async run(ctx) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        const wrong = await look(ctx, address, port);
        if (wrong.length === 0) return;
        ctx.say(`${address}: ${wrong.join(', ')}`);
        if (Date.now() >= end) throw fail('BALANCER_NOT_READY', { address, port, reason: wrong.join(', ') });
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
  });
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

async function look(ctx: StepContext, address: string, port: number): Promise<readonly string[]> {
  const away = ctx.cache.get(UNREACHABLE_HOSTS);
  const hosts = ctx.hosts.withRole('loadbalancer').filter(({ name }) => !away?.has(name));
  const found = await Promise.all(
    hosts.map(async (host) => {
      const runner = ctx.on(host);
      const [has, answers] = await Promise.all([
        runner.test(sh`ip -o addr show to ${address} | grep -q .`),
        runner.test({
          text: sh`timeout 3 bash -c ${`exec 3<>/dev/tcp/${address}/${port}`} 2>/dev/null`.text,
          display: `connect to ${address}:${port}`,
        }),
      ]);
      return { name: host.name, has, answers };
    }),
  );
  const owners = found.filter(({ has }) => has).map(({ name }) => name);
  const cut = found.filter(({ answers }) => !answers).map(({ name }) => name);
  return [
    ...(owners.length === 1 ? [] : [owners.length === 0 ? 'no host has it' : `${owners.join(' and ')} both have it`]),
    ...(cut.length === 0 ? [] : [`port ${port} does not answer ${cut.join(', ')}`]),
  ];
}
