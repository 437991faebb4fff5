import { defineFault } from './fault.ts';
import { dropTable, probeTable, setTable } from './nft.ts';

export interface CutOptions {
  /** Drop only SSH packets, or all packets. */
  readonly what?: 'ssh' | 'all';
  /** Drop only packets to and from this address. */
  readonly peer?: string;
}

/** Silently drops packets to and from a machine, like an unplugged cable. */
export const cut = defineFault<CutOptions>({
  name: 'cut',
  probe: probeTable('kubexm_fault_cut'),
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
