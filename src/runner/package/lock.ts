import { fail, type KubexmError } from '../../common/errors/errors.ts';

/** Lock files of package managers. They are locked with fcntl or contain a PID. */
export interface PackageLocks {
  readonly locked: readonly string[];
  readonly pidFiles: readonly string[];
}

const TEN_MINUTES_S = 600;

/**
 * Defines the shell function `kubexm_wait`, which waits until the locks are free and prints their holders. It reads
 * /proc/locks, because fuser and lsof are not always installed, and testing a lock would acquire it.
 */
export const waitForLocks = ({ locked, pidFiles }: PackageLocks, seconds = TEN_MINUTES_S): string => `kubexm_holder() {
  for f in ${locked.join(' ')}; do
    [ -e "$f" ] || continue
    i=$(stat -c %i "$f")
    while read -r _ _ _ _ pid at _; do
      [ "\${at##*:}" = "$i" ] || continue
      for fd in /proc/"$pid"/fd/*; do
        [ "$(readlink "$fd")" != "$f" ] || { echo "$pid"; return 0; }
      done
    done </proc/locks
  done
  for f in ${pidFiles.join(' ')}; do
    [ -s "$f" ] || continue
    read -r pid <"$f"
    # The writer may have crashed and its pid may have been reused.
    case $(cat "/proc/$pid/comm" 2>/dev/null) in *dnf* | *yum* | packagekit* | python*) echo "$pid"; return 0 ;; esac
  done
  return 1
}
kubexm_wait() {
  n=0
  while pid=$(kubexm_holder); do
    who="$(tr '\\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c1-120 | sed 's/ *$//') (pid $pid)"
    [ $n -lt ${seconds} ] || { echo "${HELD}$who" >&2; exit 75; }
    [ $((n % 15)) -ne 0 ] || echo "waiting for the package manager lock held by $who ($n s)"
    sleep 1
    n=$((n + 1))
  done
}
`;

const HELD = 'the lock is held by ';

/** Returns the lock holder that `kubexm_wait` printed when it timed out. */
export function lastHolder(output: string): string | undefined {
  const line = output.split('\n').findLast((line) => line.startsWith(HELD));
  return line?.slice(HELD.length);
}

export const lockError = (host: string, holder: string): KubexmError =>
  fail('PACKAGE_LOCKED', { host, holder, minutes: TEN_MINUTES_S / 60 });
