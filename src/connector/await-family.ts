import { quote } from './quote.ts';
import { ROOT_FOLDERS } from './supervise.ts';

/**
 * A look that takes until the scripts of a family have ended whose end nobody followed, because whoever began them was
 * killed; and forgets them. Whoever asks has none of its own yet.
 */
export const awaitFamily = (family: string): string => `read -r boot </proc/sys/kernel/random/boot_id
runs() {
  [ ! -e "$1/exit" ] && read -r before <"$1/boot" && [ "$before" = "$boot" ] || return 1
  n=0; until [ -s "$1/pid" ] || [ $n -ge 100 ]; do sleep 0.05; n=$((n + 1)); done
  read -r pid <"$1/pid" && kill -0 "$pid"
} 2>/dev/null
for d in ${ROOT_FOLDERS.map((folder) => `${folder}/${quote(`${family}~`)}*`).join(' ')}; do
  [ -d "$d" ] || continue
  while runs "$d"; do sleep 0.1; done
  rm -rf -- "$d"
done`;
