import { quote } from './quote.ts';

/**
 * Waits up to two seconds for the scripts of a group whose kubexm process was killed, and removes their folders. If one
 * is still running it prints its pid and exits with STILL_RUNNING. Run this before the group starts new scripts.
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
