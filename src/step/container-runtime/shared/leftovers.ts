import type { Command } from '../../../runner/command.ts';

/** Processes and mounts that containers leave behind if their runtime does not stop them. */
export interface Leftovers {
  /** Prints an extended regular expression for the command lines of the shims. */
  readonly shims: Command;
  /** Prints the prefixes of their mount points, one per line. */
  readonly mounts: Command;
}

/** Shell functions `keepers` (PIDs of the shims) and `mounts` that list them. */
export const leftoverFunctions = ({ shims, mounts }: Leftovers): string =>
  `kept_by=$(${shims.text})
below=$(${mounts.text}); export below
keepers() { for p in /proc/[0-9]*; do
  tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -qE -e "$kept_by" && echo "\${p#/proc/}"
done; true; }
mounts() { awk 'BEGIN { n = split(ENVIRON["below"], at, "\\n") }
  { for (i = 1; i <= n; i++) if (at[i] != "" && index($2, at[i]) == 1) { print $2; next } }' /proc/self/mounts | sort -r; }`;

/** Prints a line for each kind of leftovers. */
export const LIST_LEFTOVERS = `n=$(keepers | grep -c .); [ "$n" = 0 ] || echo "$n containers are running"
n=$(mounts | grep -c .); [ "$n" = 0 ] || echo "$n file systems are mounted"`;

/** Kills the processes and unmounts the file systems. */
export const REMOVE_LEFTOVERS = `for p in $(keepers); do kill -KILL $(ps -o pid= --ppid "$p") "$p" 2>/dev/null; done
n=0; while [ -n "$(keepers)" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
mounts | while IFS= read -r m; do m=$(printf '%b' "$m"); umount "$m" 2>/dev/null || umount -l "$m"; done
rm -f /run/netns/cni-*`;
