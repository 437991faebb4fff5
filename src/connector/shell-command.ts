/** What decides the command line that starts `/bin/sh` on a host. */
export interface ShellStart {
  /** Printed when the shell is there, on both streams; also ends the script. */
  readonly marker: string;
  /** Length of the script, which comes through stdin. */
  readonly bytes: number;
  /** Becomes root: never asks for a password, or asks with this prompt. */
  readonly sudo?: { readonly prompt?: string };
}

/**
 * The command line that starts `/bin/sh` with a fixed environment under any login shell: bash, csh and fish read it
 * alike. It holds no word of the script, so nothing of it is in `ps`. A script that did not arrive whole is not run.
 */
export function shellCommand({ marker, bytes, sudo }: ShellStart): string {
  const read = `echo ${marker}; echo ${marker} >&2; s=$(head -c ${bytes}); case "$s" in *${marker}) eval "$s";; esac`;
  const shell = `/usr/bin/env -i HOME=${sudo ? '/root' : '"$HOME"'} ${ENVIRONMENT} /bin/sh -c '${read}'`;
  if (!sudo) return `exec ${shell}`;
  const asking = sudo.prompt === undefined ? '-n' : `-S -p ${sudo.prompt}`;
  // In English, so that its refusals can be told apart.
  return `exec /usr/bin/env LC_ALL=C LANGUAGE=C sudo ${asking} -- ${shell}`;
}

/** The script as it is sent: the last line proves that it is whole. */
export const sealScript = (script: string, marker: string): string => `unset s\ncd /\numask 022\n${script}\n#${marker}`;

const ENVIRONMENT = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8';
