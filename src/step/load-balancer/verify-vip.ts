import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { LOAD_BALANCER } from './paths.ts';
import { UNREACHABLE_HOSTS } from '../contract/reachability.ts';

/**
 * Checks that exactly one load balancer has the virtual IP and that all of them can connect to it. None has it while none
 * reaches an API server; that is not an error, because a later task repairs the API servers.
 */
export const verifyVip = (cluster: Cluster, address: string): Step =>
  defineStep({
    name: 'load-balancer.verify',
    summary: `Verify the virtual IP ${address}`,
    parts: () => [heldByOneHost(address, cluster.endpoint.port)],
  });

function heldByOneHost(address: string, port: number): GenericStep {
  return Object.freeze<GenericStep>({
    key: `check:vip-${address}`,
    summary: `check that exactly one host has ${address}`,
    precheck: async (ctx) => findingOf(await findProblems(ctx, address, port)),
    async run(ctx) {
      const end = Date.now() + TIMEOUT_MS;
      for (;;) {
        const problems = await findProblems(ctx, address, port);
        if (problems.length === 0) return;
        ctx.say(`${address}: ${problems.join(', ')}`);
        if (Date.now() >= end) throw fail('BALANCER_NOT_READY', { address, port, reason: problems.join(', ') });
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
  });
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;

async function findProblems(ctx: StepContext, address: string, port: number): Promise<readonly string[]> {
  const unreachable = ctx.cache.get(UNREACHABLE_HOSTS);
  const hosts = ctx.hosts.withRole('loadbalancer').filter(({ name }) => !unreachable?.has(name));
  const found = await Promise.all(
    hosts.map(async (host) => {
      const runner = ctx.on(host);
      const [has, reaches, connects] = await Promise.all([
        runner.test(sh`ip -o addr show to ${address} | grep -q .`),
        runner.test(sh`[ ! -x ${LOAD_BALANCER.apiCheck} ] || ${LOAD_BALANCER.apiCheck} 2>/dev/null`),
        runner.test({
          text: sh`timeout 3 bash -c ${`exec 3<>/dev/tcp/${address}/${port}`} 2>/dev/null`.text,
          display: `connect to ${address}:${port}`,
        }),
      ]);
      return { name: host.name, has, reaches, connects };
    }),
  );
  const owners = found.filter(({ has }) => has).map(({ name }) => name);
  if (owners.length === 0 && found.every(({ reaches }) => !reaches)) return [];
  const failed = found.filter(({ connects }) => !connects).map(({ name }) => name);
  return [
    ...(owners.length === 1 ? [] : [owners.length === 0 ? 'no host has it' : `${owners.join(' and ')} have it`]),
    ...(failed.length === 0 ? [] : [`${failed.join(', ')} cannot connect to port ${port}`]),
  ];
}
