import { quote } from './quote.ts';

/**
 * Waits up to two seconds for scripts of a killed kubexm process in a group, and removes their folders. If a script is
 * still running, prints its PID and exits with STILL_RUNNING. Must run before the group starts new scripts.
 */
export const awaitOrphans = (
  group: string,
  folders: readonly string[],
): string => `read -r boot </proc/sys/kernel/random/boot_id
runs() {
  [ ! -e "$1/exit" ] && read -r before <"$1/boot" && [ "$before" = "$boot" ] || return 1
  n=0; until [ -s "$1/pid" ] || [ $n -ge 100 ]; do sleep 0.05; n=$((n + 1)); done
  read -r pid <"$1/pid" && kill -0 "$pid"
} 2>/dev/null
tenths=0
for d in ${folders.map((folder) => `${quote(`${folder}/${group}~`)}*`).join(' ')}; do
  [ -d "$d" ] || continue
  while runs "$d"; do
    [ $tenths -lt 20 ] || { echo "$pid"; exit ${STILL_RUNNING}; }
    sleep 0.1; tenths=$((tenths + 1))
  done
  rm -rf -- "$d"
done`;

export const STILL_RUNNING = 75;
