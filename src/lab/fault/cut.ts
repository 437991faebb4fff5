import { defineFault } from './fault.ts';
import { dropTable, lookAtTable, setTable } from './nft.ts';

/** Which packets are dropped. */
export interface CutOptions {
  /** Only SSH, or everything. */
  readonly what?: 'ssh' | 'all';
  /** Only what goes to or comes from this address. */
  readonly peer?: string;
}

/** Drops packets to and from a machine without a word, as a pulled cable does. */
export const cut = defineFault<CutOptions>({
  name: 'cut',
  summary: 'Drop all packets of the machine, or only those of SSH or of one peer',
  look: lookAtTable('kubexm_fault_cut'),
  undo: dropTable('kubexm_fault_cut'),
  async apply(machine, { what = 'all', peer } = {}) {
    const port = (side: string) => (what === 'ssh' ? `tcp ${side} ${machine.port} ` : '');
    const address = (side: string) => (peer === undefined ? '' : `ip ${side} ${peer} `);
    const comment = ['cut', ...(what === 'ssh' ? ['ssh'] : []), ...(peer === undefined ? [] : [peer])].join(' ');
    await setTable(
      machine,
      'kubexm_fault_cut',
      `chain input { type filter hook input priority -300; iif != lo ${address('saddr')}${port('dport')}drop comment "${comment}"; }
       chain output { type filter hook output priority -300; oif != lo ${address('daddr')}${port('sport')}drop comment "${comment}"; }
       chain forward { type filter hook forward priority -300; ${what === 'ssh' ? '' : `${address('saddr')}drop`}; }`,
    );
  },
});
