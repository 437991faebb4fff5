import { sh, type Command } from '../../runner/command.ts';

/** Unmounts everything below a directory, the deepest first. The directory itself stays mounted. */
export const unmountBelow = (directory: string): Command => ({
  text: sh`mounted() { below=${`${directory}/`} awk 'index($2, ENVIRON["below"]) == 1 { print $2 }' /proc/self/mounts | sort -r; }
mounted | while IFS= read -r at; do at=$(printf '%b' "$at"); umount -- "$at" 2>/dev/null || umount -l -- "$at"; done
[ -z "$(mounted)" ] || { echo "still mounted: $(mounted)" >&2; exit 1; }`.text,
  display: `umount ${directory}/*`,
});
