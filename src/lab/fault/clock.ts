import { fail } from '../../common/errors/errors.ts';
import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

export interface ClockOptions {
  /** Offset from the real time: `+1h`, `-5m`, `+30s`, `+2d`. */
  readonly offset?: string;
}

/**
 * Shifts the clock for programs run over SSH, with or without sudo. Services and programs that do not use libc, such as
 * Go programs, still see the real time, because all machines share the clock of one kernel.
 */
export const clock = defineFault<ClockOptions>({
  name: 'clock',
  probe: 'grep -qs libfaketime /etc/environment && echo "clock $(cat /etc/faketimerc)"',
  undo: 'rm -f /etc/faketimerc /etc/sudoers.d/kubexm-fault-clock; sed -i /libfaketime/d /etc/environment\n',
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
});

// libfaketime expects seconds without a unit. /etc/ld.so.preload would crash sshd and systemd.
const setOffset = (offset: string) => `echo '${offset.replace(/s$/, '')}' >/etc/faketimerc
touch /etc/environment
sed -i /libfaketime/d /etc/environment
echo "LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketime.so.1)" >>/etc/environment
printf 'Defaults env_file=/etc/environment\\nDefaults env_keep += "LD_PRELOAD"\\n' >/etc/sudoers.d/kubexm-fault-clock
`;
