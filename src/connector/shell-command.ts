import { sudoCommand, type Sudo } from './sudo.ts';

/** The parameters of the command line that starts `/bin/sh` on a host. */
export interface ShellStart {
  /** Printed on both streams when the shell is ready, on stdout with the boot id; also ends the script. */
  readonly marker: string;
  /** Set to become root. */
  readonly sudo?: Sudo;
}

/**
 * The command line that starts `/bin/sh` with a fixed environment under any login shell: bash, csh and fish parse it
 * the same way. Scripts come through stdin, so `ps` does not show them; each runs only if it arrived completely.
 */
export function shellCommand({ marker, sudo }: ShellStart): string {
  const boot = '{ read -r b </proc/sys/kernel/random/boot_id; } 2>/dev/null';
  const read = `b=; ${boot}; echo ${marker} $b; echo ${marker} >&2; while read -r n && s=$(head -c $n); do case "$s" in *${marker}) eval "$s";; *) break;; esac; done`;
  const shell = `/usr/bin/env -i HOME=${sudo ? '/root' : '"$HOME"'} ${ENVIRONMENT} /bin/sh -c '${read}'`;
  return `exec ${sudo ? sudoCommand(sudo, shell) : shell}`;
}

/**
 * The script as sent: its length first; the marker at the end proves that it is complete. The shell exits after the last
 * script.
 */
export function sealScript(script: string, marker: string, { isLast }: { readonly isLast: boolean }): string {
  const text = `unset s n b\ncd /\numask 022\n${script}${isLast ? '\nexit' : ''}\n#${marker}`;
  return `${Buffer.byteLength(text)}\n${text}`;
}

const ENVIRONMENT = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8';
