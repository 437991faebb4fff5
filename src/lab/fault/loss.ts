import { requireRunning } from '../machine/machine.ts';
import { defineFault } from './fault.ts';
import { clearNetem, probeNetem, tryNetem } from './netem.ts';
import { dropTable, probeTable, setTable } from './nft.ts';

export interface LossOptions {
  readonly percent?: number;
}

/** Drops a random share of the packets of a machine. */
export const loss = defineFault<LossOptions>({
  name: 'loss',
  probe: `${probeTable('kubexm_fault_loss')}; ${probeNetem('loss')}`,
  undo: dropTable('kubexm_fault_loss') + clearNetem('loss'),
  async apply(machine, { percent = 20 } = {}) {
    await requireRunning(machine);
    if (await tryNetem(machine, 'loss', `${percent}%`)) return;
    const dropSome = `numgen random mod 100 < ${percent} drop comment "loss ${percent}%"`;
    await setTable(
      machine,
      'kubexm_fault_loss',
      `chain input { type filter hook input priority -299; iif != lo ${dropSome}; }
       chain output { type filter hook output priority -299; oif != lo ${dropSome}; }`,
    );
  },
});
