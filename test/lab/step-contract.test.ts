import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../src/connector/connector.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { artifactStepCases } from './support/artifact-step-cases.ts';
import { bootOneMachine } from './support/one-machine.ts';
import { snapshot } from './support/snapshot.ts';
import { SECRET, stepCases as ownCases } from './support/step-cases.ts';
import type { MachineContext } from './support/step-context.ts';
import { labNames } from './support.ts';

const stepCases = [...ownCases, ...artifactStepCases];
const named = await labNames();
let machine: Machine;
let connector: Connector;
let newContext: () => MachineContext;
bootOneMachine(named('steps'), (one) => ({ machine, connector, newContext } = one));

/** Combinators and helpers, which are covered by the tests of the steps that use them. */
const WITHOUT_CASE: ReadonlySet<string> = new Set([
  'absent-address',
  'check-only',
  'compound',
  'configured-service',
  'edited-file',
  'file-finding',
  'guarded',
  'lost-ca',
  'offline-packages',
  'owned-content',
  'package-ledger',
  'pki-files',
  'recorded-state',
  'restored',
  'undo-if-unchanged',
  'unmount',
  'when',
]);

it('has a case for every generic step', () => {
  const entries = readdirSync('src/step/common', { withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? entry.name.replace(/\.ts$/, '') : []));
  const expected = [...files.filter((name) => !WITHOUT_CASE.has(name)), 'installed'];
  expect(new Set(stepCases.map(({ of }) => of))).toEqual(new Set(expected));
});

describe.each(stepCases)('$of: $name', (one) => {
  beforeEach(async () => {
    if (one.given !== undefined) await scriptOn(machine, one.given);
  });

  it('prechecks without changes, runs, runs again without changes, and rolls back exactly', async () => {
    const { step } = one;
    const ctx = newContext();
    const before = await snapshot(machine);

    const roundTrips = connector.roundTrips;
    const first = await step.precheck(ctx);
    expect(connector.roundTrips - roundTrips, 'precheck takes one round trip').toBe(1);
    expect(first).toMatchObject({
      done: false,
      because: one.because,
      ...(one.diff !== undefined && { diff: one.diff }),
    });
    expect(JSON.stringify(first), 'the finding contains no secret').not.toContain(SECRET);
    const memory = JSON.parse(JSON.stringify((await step.remember?.(ctx)) ?? null));
    expect(JSON.stringify(memory).length, 'remembered data is small').toBeLessThan(2000);
    expect(await snapshot(machine), 'precheck and remember change nothing').toEqual(before);

    await step.run(ctx);
    expect(await step.precheck(ctx), 'done after run').toEqual({ done: true });
    const after = await snapshot(machine);
    if (!one.invisible) expect(after, 'run changes something').not.toEqual(before);

    await step.run(ctx);
    expect(await snapshot(machine), 'a second run changes nothing').toEqual(after);
    expect(await step.precheck(ctx)).toEqual({ done: true });

    if (step.rollback === undefined) return;
    await step.rollback(ctx, memory);
    expect(await snapshot(machine), 'rollback restores exactly').toEqual(before);
    if (!one.invisible) expect(await step.precheck(ctx)).toMatchObject({ done: false });
    await step.rollback(ctx, memory);
    expect(await snapshot(machine), 'a second rollback changes nothing').toEqual(before);
  });
});
