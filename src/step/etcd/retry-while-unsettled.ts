import { setTimeout as sleep } from 'node:timers/promises';
import { KubexmError } from '../../common/errors/errors.ts';
import type { StepContext } from '../contract/part.ts';

/**
 * Repeats a change of the members while etcd refuses it. It does so for some seconds after another member has changed,
 * until the members are connected to each other.
 */
export async function retryWhileUnsettled(ctx: StepContext, change: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      await change();
      return;
    } catch (error) {
      if (!(error instanceof KubexmError) || !UNSETTLED.test(error.message) || Date.now() >= end) throw error;
      ctx.say('etcd: waiting until the members are connected to each other');
      await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
    }
  }
}

const UNSETTLED = /unhealthy cluster|not enough started members|too many learner members|re-configuration failed/;
const TIMEOUT_MS = 120_000;
const PAUSE_MS = 1000;
