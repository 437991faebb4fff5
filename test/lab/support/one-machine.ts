import { afterAll, beforeAll } from 'vitest';
import type { Connector } from '../../../src/connector/connector.ts';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import { labUp } from '../../../src/lab/up.ts';
import { connect } from './connect.ts';
import { stepContexts, type MachineContext } from './step-context.ts';

/** A machine with a connector and a step context factory. */
export interface OneMachine {
  readonly machine: Machine;
  readonly connector: Connector;
  readonly newContext: () => MachineContext;
}

/** Boots a lab with one machine before the first test of a file, and passes the machine to the callback. */
export function bootOneMachine(name: string, onReady: (one: OneMachine) => void): void {
  let connector: Connector | undefined;
  beforeAll(async () => {
    const lab = await labUp({ name, machines: 1 });
    const machine = lab.machines[0]!;
    connector = connect(lab, machine);
    onReady({ machine, connector, newContext: await stepContexts(connector) });
  });
  afterAll(() => connector?.[Symbol.asyncDispose]());
}
