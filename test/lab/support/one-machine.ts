import { afterAll, beforeAll } from 'vitest';
import type { Connector } from '../../../src/connector/connector.ts';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import { labUp } from '../../../src/lab/up.ts';
import { connect } from './connect.ts';
import { stepContexts, type MachineContext } from './step-context.ts';

/** A machine, and ways to work on it. */
export interface OneMachine {
  readonly machine: Machine;
  readonly connector: Connector;
  readonly newContext: () => MachineContext;
}

/** Boots the machine of a test file and hands it over before the first test. */
export function onOneMachine(name: string, take: (one: OneMachine) => void): void {
  let connector: Connector | undefined;
  beforeAll(async () => {
    const lab = await labUp({ name, machines: 1 });
    const machine = lab.machines[0]!;
    connector = connect(lab, machine);
    take({ machine, connector, newContext: await stepContexts(connector) });
  });
  afterAll(() => connector?.[Symbol.asyncDispose]());
}
