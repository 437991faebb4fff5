import { fail } from '../../common/errors/errors.ts';
import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** How wrong a clock is. */
export interface ClockOptions {
  /** `+1h`, `-5m`, `+30s`, `+2d`. */
  readonly offset?: string;
}

/**
 * Lets what is run over SSH, with or without sudo, see another time. Services, and programs without libc such as
 * Go's, see the true one: the machines share one kernel, and it has one clock.
 */
export const clock = defineFault<ClockOptions>({
  name: 'clock',
  summary: 'Let programs that are run over SSH see another time',
  look: 'grep -qs libfaketime /etc/environment && echo "clock $(cat /etc/faketimerc)"',
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

// libfaketime takes seconds without a unit. Not through /etc/ld.so.preload: sshd and systemd do not survive it.
const setOffset = (offset: string) => `echo '${offset.replace(/s$/, '')}' >/etc/faketimerc
touch /etc/environment
sed -i /libfaketime/d /etc/environment
echo "LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketime.so.1)" >>/etc/environment
printf 'Defaults env_file=/etc/environment\\nDefaults env_keep += "LD_PRELOAD"\\n' >/etc/sudoers.d/kubexm-fault-clock
`;
