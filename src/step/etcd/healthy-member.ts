import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import { sh } from '../../runner/command.ts';
import { ETCD, ETCD_CLIENT } from '../../template/etcd/access.ts';
import { runningService } from '../common/running-service.ts';
import { findingOf } from '../contract/finding.ts';
import type { Finding, GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { etcdctl } from './etcdctl.ts';
import { healthProblem, membershipProblems } from './parse-health.ts';

const TEN_MINUTES = 600_000;

/** Restarts the member if its configuration changed, and waits until it is healthy. Runs on one member at a time. */
export const ensureHealthyMember: Step = defineStep({
  name: 'etcd.settle',
  summary: 'Verify that the etcd member is healthy',
  timeoutMs: TEN_MINUTES,
  parts: () => [
    runningService({
      unit: ETCD.unit,
      restartIfNewer: [`${ETCD.programs}/etcd`, ETCD.environment, ETCD.unitFile, ETCD_CLIENT.ca],
      startOnUndo: false,
    }),
    healthyMember,
  ],
});

const healthyMember: GenericStep = Object.freeze<GenericStep>({
  key: 'check:etcd-member',
  summary: 'wait until the etcd member is healthy',
  precheck: checkMember,
  async run(ctx) {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const finding = await checkMember(ctx);
      if (finding.done) return;
      ctx.say(`etcd: ${finding.because}`);
      if (Date.now() >= end) {
        const journal = await ctx.runner.services.journal(ETCD.unit, 12);
        throw fail('ETCD_UNHEALTHY', { host: ctx.host.name, because: finding.because, journal });
      }
      await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
    }
  },
});

const TIMEOUT_MS = 120_000;
const PAUSE_MS = 500;

/** The health check makes a write that needs quorum; the member list shows whether it is still a learner. */
async function checkMember({ runner, host: { name } }: StepContext): Promise<Finding> {
  const [health, members] = await Promise.all([
    runner.query(etcdctl('kubexm', name, sh`endpoint health -w json`)),
    runner.query(etcdctl('kubexm', name, sh`member list -w json`)),
  ]);
  const problem = healthProblem(health.stdout);
  return findingOf(problem === undefined ? membershipProblems(members.stdout, name) : [problem]);
}
