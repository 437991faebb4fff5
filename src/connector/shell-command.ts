/** What decides the command line that starts `/bin/sh` on a host. */
export interface ShellStart {
  /** Printed when the shell is there, on both streams, on the first with the id of the boot; also ends the script. */
  readonly marker: string;
  /** Becomes root: never asks for a password, or asks with this prompt. */
  readonly sudo?: { readonly prompt?: string };
}

/**
 * The command line that starts `/bin/sh` with a fixed environment under any login shell: bash, csh and fish read it
 * alike. It holds no word of the script, so nothing of it is in `ps`. A script that did not arrive whole is not run.
 */
export function shellCommand({ marker, sudo }: ShellStart): string {
  const boot = '{ read -r b </proc/sys/kernel/random/boot_id; } 2>/dev/null';
  const read = `b=; ${boot}; echo ${marker} $b; echo ${marker} >&2; read -r n && s=$(head -c $n); case "$s" in *${marker}) eval "$s";; esac`;
  const shell = `/usr/bin/env -i HOME=${sudo ? '/root' : '"$HOME"'} ${ENVIRONMENT} /bin/sh -c '${read}'`;
  if (!sudo) return `exec ${shell}`;
  const asking = sudo.prompt === undefined ? '-n' : `-S -p ${sudo.prompt}`;
  // In English, so that its refusals can be told apart.
  return `exec /usr/bin/env LC_ALL=C LANGUAGE=C sudo ${asking} -- ${shell}`;
}

/** The script as it is sent: first its length; the last line proves that it is whole. */
export function sealScript(script: string, marker: string): string {
  const text = `unset s n b\ncd /\numask 022\n${script}\n#${marker}`;
  return `${Buffer.byteLength(text)}\n${text}`;
}

const ENVIRONMENT = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8';
