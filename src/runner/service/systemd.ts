import { fail } from '../../common/errors/errors.ts';
import { sh, type Command } from '../command.ts';
import type { Runner } from '../runner.ts';
import type { ServiceManager } from '../service-manager.ts';
import { parseUnit, showCommand } from './unit-state.ts';

export function systemd(runner: Runner): ServiceManager {
  const state = (unit: string) => runner.query(showCommand(unit)).then(({ stdout }) => parseUnit(stdout));
  const journal = (unit: string, lines: number) =>
    runner.query(sh`journalctl --no-pager --quiet --output=cat -u ${unit} -n ${lines}`).then(({ stdout }) => stdout);
  const act = async (command: Command) => {
    await runner.run(command);
  };
  const startUnit = async (unit: string, command: Command, what: string) => {
    try {
      await act(command);
    } catch (cause) {
      const [{ status }, log] = await Promise.all([state(unit), journal(unit, 12)]);
      throw fail('SERVICE_FAILED', { host: runner.host, unit, what, state: status, journal: log }, cause);
    }
  };
  return Object.freeze<ServiceManager>({
    state,
    start: (unit) => startUnit(unit, startAndWatch(unit, 'start'), 'did not start'),
    startWithoutWaiting: (unit) => startUnit(unit, startNoBlock(unit), 'did not start'),
    stop: (unit) => act(sh`systemctl stop ${unit}`),
    restart: (unit) => startUnit(unit, startAndWatch(unit, 'restart'), 'did not restart'),
    enable: (unit) => act(sh`systemctl enable --quiet ${unit}`),
    disable: (unit) => act(sh`systemctl disable --quiet ${unit}`),
    mask: (unit) => act(sh`systemctl mask --quiet ${unit}`),
    unmask: (unit) => act(sh`systemctl unmask --quiet ${unit}`),
    reload: () => act(sh`systemctl daemon-reload`),
    journal,
  });
}

/**
 * Starts a unit and watches it for two seconds, because systemd reports "running" immediately, even for a process that
 * is about to crash; a unit of type notify is running only when the process says that it is ready. Runs `reset-failed`
 * first, because systemd refuses to start a unit that failed too often.
 */
function startAndWatch(unit: string, verb: 'start' | 'restart'): Command {
  const { text } = sh`systemctl reset-failed ${unit} 2>/dev/null
systemctl ${verb} ${unit} || exit
n=0
while [ $n -lt 10 ]; do
  state=$(systemctl show -p Type -p ActiveState -p SubState -p NRestarts ${unit})
  case $state in
    *ActiveState=active*) ;;
    *) echo "$state" >&2; exit 1 ;;
  esac
  case $state in *SubState=running*) ;; *) exit 0 ;; esac
  case $state in *NRestarts=0*) ;; *NRestarts=*) echo "$state" >&2; exit 1 ;; esac
  case $state in *Type=notify*) exit 0 ;; esac
  sleep 0.2
  n=$((n + 1))
done`;
  return { text, display: `systemctl ${verb} ${unit}` };
}

/** Starts a unit without waiting until it is ready, and watches for an immediate failure for two seconds. */
function startNoBlock(unit: string): Command {
  const { text } = sh`systemctl reset-failed ${unit} 2>/dev/null
systemctl start --no-block ${unit} || exit
n=0
while [ $n -lt 10 ]; do
  state=$(systemctl show -p ActiveState -p SubState ${unit})
  case $state in
    *ActiveState=active*) exit 0 ;;
    *ActiveState=failed*|*SubState=auto-restart*) echo "$state" >&2; exit 1 ;;
  esac
  sleep 0.2
  n=$((n + 1))
done`;
  return { text, display: `systemctl start --no-block ${unit}` };
}
