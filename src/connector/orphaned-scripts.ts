import { quote } from './quote.ts';
import { ROOT_FOLDERS } from './supervisor-script.ts';

/**
 * A look that waits two seconds for the end of the scripts of a family which nobody followed, because whoever began them
 * was killed, and forgets them; then it tells the process of one that still runs. Whoever asks has none of its own yet.
 */
export const awaitOrphans = (family: string): string => `read -r boot </proc/sys/kernel/random/boot_id
runs() {
  [ ! -e "$1/exit" ] && read -r before <"$1/boot" && [ "$before" = "$boot" ] || return 1
  n=0; until [ -s "$1/pid" ] || [ $n -ge 100 ]; do sleep 0.05; n=$((n + 1)); done
  read -r pid <"$1/pid" && kill -0 "$pid"
} 2>/dev/null
tenths=0
for d in ${ROOT_FOLDERS.map((folder) => `${folder}/${quote(`${family}~`)}*`).join(' ')}; do
  [ -d "$d" ] || continue
  while runs "$d"; do
    [ $tenths -lt 20 ] || { echo "$pid"; exit ${STILL_RUNNING}; }
    sleep 0.1; tenths=$((tenths + 1))
  done
  rm -rf -- "$d"
done`;

/** The exit code of the look when one still runs. */
export const STILL_RUNNING = 75;
