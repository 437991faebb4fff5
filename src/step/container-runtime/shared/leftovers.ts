import type { Command } from '../../../runner/command.ts';

/** What containers of a runtime leave running and mounted when it does not end them itself. */
export interface Leftovers {
  /** Prints an extended expression that the command lines of their keepers match. */
  readonly keepers: Command;
  /** Prints what their mounts begin with, one in a line. */
  readonly mounts: Command;
}

/** The functions `keepers` and `mounts`, which list them. */
export const leftoverFunctions = ({ keepers, mounts }: Leftovers): string =>
  `kept_by=$(${keepers.text})
below=$(${mounts.text}); export below
keepers() { for p in /proc/[0-9]*; do
  tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -qE -e "$kept_by" && echo "\${p#/proc/}"
done; true; }
mounts() { awk 'BEGIN { n = split(ENVIRON["below"], at, "\\n") }
  { for (i = 1; i <= n; i++) if (at[i] != "" && index($2, at[i]) == 1) { print $2; next } }' /proc/self/mounts | sort -r; }`;

/** Tells what is left. */
export const LIST_LEFTOVERS = `n=$(keepers | grep -c .); [ "$n" = 0 ] || echo "$n containers run"
n=$(mounts | grep -c .); [ "$n" = 0 ] || echo "$n file systems are mounted"`;

/** Kills and unmounts it. */
export const REMOVE_LEFTOVERS = `for p in $(keepers); do kill -KILL $(ps -o pid= --ppid "$p") "$p" 2>/dev/null; done
n=0; while [ -n "$(keepers)" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
mounts | while IFS= read -r m; do m=$(printf '%b' "$m"); umount "$m" 2>/dev/null || umount -l "$m"; done
rm -f /run/netns/cni-*`;
