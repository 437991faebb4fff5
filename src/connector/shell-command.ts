import { sudoCommand, type Sudo } from './sudo.ts';

/** Parameters for the command line that starts `/bin/sh` on a host. */
export interface ShellStart {
  /** Printed on both streams when the shell is ready, with the boot ID on stdout. Also marks the end of each script. */
  readonly marker: string;
  /** If set, the shell runs as root. */
  readonly sudo?: Sudo;
}

/**
 * Returns the command line that starts `/bin/sh` with a fixed environment. All login shells, such as bash, csh and
 * fish, parse it in the same way. The shell reads scripts from stdin, so that `ps` does not show them, and runs only
 * complete scripts.
 */
export function shellCommand({ marker, sudo }: ShellStart): string {
  const boot = '{ read -r b </proc/sys/kernel/random/boot_id; } 2>/dev/null';
  const read = `b=; ${boot}; echo ${marker} $b; echo ${marker} >&2; while read -r n && s=$(head -c $n); do case "$s" in *${marker}) eval "$s";; *) break;; esac; done`;
  const shell = `/usr/bin/env -i HOME=${sudo ? '/root' : '"$HOME"'} ${ENVIRONMENT} /bin/sh -c '${read}'`;
  return `exec ${sudo ? sudoCommand(sudo, shell) : shell}`;
}

/**
 * Encodes a script with its length first and the marker at the end, which proves that it is complete. The shell exits
 * after the last script.
 */
export function sealScript(script: string, marker: string, { isLast }: { readonly isLast: boolean }): string {
  const text = `unset s n b\ncd /\numask 022\n${script}${isLast ? '\nexit' : ''}\n#${marker}`;
  return `${Buffer.byteLength(text)}\n${text}`;
}

const ENVIRONMENT = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8';
