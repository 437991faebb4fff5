import { fail } from '../../common/errors.ts';
import { requireRunning, scriptOn } from '../machine.ts';
import { defineFault } from './fault.ts';

/** How wrong a clock is. */
export interface ClockOptions {
  /** `+1h`, `-5m`, `+30s`, `+2d`. */
  readonly offset?: string;
}

/** Lets programs that start from now on see another time. Programs without libc, such as Go's, see the true one. */
export const clock = defineFault<ClockOptions>({
  name: 'clock',
  summary: 'Let programs that start from now on see another time',
  look: `grep -qs libfaketime /etc/ld.so.preload && echo "clock $(cat /etc/faketimerc)"`,
  async apply(machine, { offset = '+1h' } = {}) {
    if (!/^[+-]\d+[smhd]$/.test(offset)) {
      throw fail('LAB_OPTION_INVALID', {
        option: '--offset',
        value: offset,
        wanted: 'an offset such as +1h, -5m or +30s',
      });
    }
    await requireRunning(machine);
    await scriptOn(machine, setOffset(offset));
  },
  clear: async (machine) => void (await scriptOn(machine, 'rm -f /etc/ld.so.preload /etc/faketimerc\n')),
});

// libfaketime takes seconds without a unit.
const setOffset = (offset: string) => `echo '${offset.replace(/s$/, '')}' >/etc/faketimerc
ls /usr/lib/*/faketime/libfaketime.so.1 >/etc/ld.so.preload
`;
