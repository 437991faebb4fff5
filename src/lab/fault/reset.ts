import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** Kills the open SSH sessions of a machine; new connections are accepted. */
export const reset = defineFault({
  name: 'reset',
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
