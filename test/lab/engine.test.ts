import { expect, it } from 'vitest';
import type { Connector } from '../../src/connector/connector.ts';
import { execute, type EngineOptions } from '../../src/engine/execute.ts';
import type { Event } from '../../src/engine/event/event.ts';
import { reboot } from '../../src/lab/fault/reboot.ts';
import { onMachine, type Machine } from '../../src/lab/machine/machine.ts';
import { chain } from '../../src/plan/fragment.ts';
import { toGraph } from '../../src/plan/to-graph.ts';
import { sh } from '../../src/runner/command.ts';
import { createRunner } from '../../src/runner/create-runner.ts';
import { command } from '../../src/step/common/command.ts';
import { file } from '../../src/step/common/file.ts';
import { sysctl } from '../../src/step/common/sysctl.ts';
import type { GenericStep, StepContext } from '../../src/step/contract/part.ts';
import { defineStep } from '../../src/step/contract/step.ts';
import { noJournal } from '../fake/fake-world.ts';
import { bootOneMachine } from './support/one-machine.ts';
import { labNames } from './support.ts';

const named = await labNames();
let machine: Machine;
let connector: Connector;
let newContext: () => StepContext;
bootOneMachine(named('engine'), (one) => ({ machine, connector, newContext } = one));

const step = (name: string, ...parts: readonly GenericStep[]) =>
  defineStep({ name, summary: name, parts: () => parts });
const fileStep = (index: number) =>
  step(`x.file${index}`, file({ path: `/etc/kubexm-${index}`, content: `${index}\n` }));
const touch = (path: string, run = sh`touch ${path}`) =>
  command({ key: `command:make ${path}`, summary: `make ${path}`, check: sh`test -e ${path}`, run });

/** Runs steps with the engine on the machine. */
async function run(steps: readonly ReturnType<typeof step>[], options: Partial<EngineOptions> = {}) {
  const events: Event[] = [];
  const { host, facts } = newContext();
  const result = await execute(toGraph('p', chain(host, steps)), {
    run: { id: 'test', cluster: 'test' },
    contextFor: (_node, signal, say) => ({
      ...newContext(),
      runner: createRunner(connector, facts, signal),
      say,
      signal,
    }),
    connect: async () => ({ bootId: () => connector.bootId }),
    journal: noJournal(),
    report: (event) => void events.push(event),
    ...options,
  });
  return { result, said: events.flatMap((event) => (event.type === 'said' ? [event.line] : [])) };
}

it('checks 20 up-to-date steps in a few round trips', async () => {
  const steps = Array.from({ length: 20 }, (_, index) => fileStep(index));
  expect((await run(steps)).result).toMatchObject({ counts: { done: 20 } });
  const before = connector.roundTrips;
  expect((await run(steps)).result).toMatchObject({ counts: { skipped: 20 } });
  expect(connector.roundTrips - before).toBeLessThanOrEqual(6);
});

it('aborts a precheck that times out', async () => {
  const endless = command({
    key: 'command:endless',
    summary: 'check endlessly',
    check: sh`sleep 3600`,
    run: sh`true`,
  });
  const began = Date.now();
  const slow = defineStep({ name: 'x.slow', summary: 'x', timeoutMs: 1000, parts: () => [endless] });
  const { result } = await run([slow], { graceMs: 3_600_000 });
  expect(result.quarantined[0]?.error).toMatchObject({ code: 'STEP_TIMED_OUT' });
  expect(Date.now() - began).toBeLessThan(600_000);
});

it.each([{ hard: true }, { hard: false }])(
  'completes a run during which the machine reboots (hard: $hard)',
  async ({ hard }) => {
    const id = hard ? 'hard' : 'soft';
    let rebooting: Promise<void> | undefined;
    const slow = touch(`/var/tmp/slow-${id}`, sh`echo begun; sleep 20; touch /var/tmp/slow-${id}`);
    const steps = [
      step('x.sysctl', sysctl({ path: '/etc/sysctl.d/99-kubexm-test.conf', values: { 'net.ipv4.ip_forward': 1 } })),
      step('x.live', touch(`/run/kubexm-live-${id}`)),
      step('x.kept', touch(`/var/tmp/kept-${id}`)),
      step('x.slow', slow),
      step('x.last', touch(`/var/tmp/last-${id}`)),
    ];
    const said: string[] = [];
    const { result } = await run(steps, {
      report: (event) => {
        if (event.type === 'restarted') said.push('restarted');
        if (event.type !== 'said') return;
        said.push(event.line);
        if (event.line === 'begun') rebooting ??= reboot.apply(machine, { hard });
      },
    });
    await rebooting;
    expect(result).toMatchObject({ outcome: 'done', exit: 0 });
    expect(said).toContain('restarted');
    expect(said).toContain('x.live was lost in the reboot and was done again');
    await onMachine(machine, ['ls', `/run/kubexm-live-${id}`, `/var/tmp/slow-${id}`, `/var/tmp/last-${id}`]);
    expect(await onMachine(machine, ['cat', '/proc/sys/net/ipv4/ip_forward'])).toBe('1\n');
  },
);
