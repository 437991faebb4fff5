import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** Ends the SSH sessions that run on a machine; new ones are let in. */
export const reset = defineFault({
  name: 'reset',
  summary: 'End the SSH sessions that run now; new ones are let in',
  async apply(machine) {
    await requireRunning(machine);
    await scriptOn(
      machine,
      `listener=$(systemctl show --property MainPID --value ssh.service)
for process in $(pgrep -x sshd); do
  [ "$process" = "$listener" ] || kill -KILL "$process" 2>/dev/null || true
done`,
    );
  },
});
