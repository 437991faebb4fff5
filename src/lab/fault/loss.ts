import { requireRunning } from '../machine/machine.ts';
import { defineFault } from './fault.ts';
import { clearNetem, lookAtNetem, tryNetem } from './netem.ts';
import { dropTable, lookAtTable, setTable } from './nft.ts';

/** How many packets are lost. */
export interface LossOptions {
  readonly percent?: number;
}

/** Loses some of the packets of a machine, by chance. */
export const loss = defineFault<LossOptions>({
  name: 'loss',
  summary: 'Lose some of the packets of the machine',
  look: `${lookAtTable('kubexm_fault_loss')}; ${lookAtNetem('loss')}`,
  undo: dropTable('kubexm_fault_loss') + clearNetem('loss'),
  async apply(machine, { percent = 20 } = {}) {
    await requireRunning(machine);
    if (await tryNetem(machine, 'loss', `${percent}%`)) return;
    const dice = `numgen random mod 100 < ${percent} drop comment "loss ${percent}%"`;
    await setTable(
      machine,
      'kubexm_fault_loss',
      `chain input { type filter hook input priority -299; iif != lo ${dice}; }
       chain output { type filter hook output priority -299; oif != lo ${dice}; }`,
    );
  },
});
