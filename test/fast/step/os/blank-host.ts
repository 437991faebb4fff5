import type { Connector, ExecResult } from '../../../../src/connector/connector.ts';

/** A host that has nothing yet, answers every question with yes, and is never changed: its looks show all that is to be written. */
export function blankHost(host: string): Connector {
  const refuse = () => Promise.reject(new Error('a blank host only answers looks'));
  return {
    host,
    rootFolders: [],
    roundTrips: 0,
    bootId: undefined,
    query: (script) => Promise.resolve(answer(script)),
    exec: refuse,
    checkNewConnection: refuse,
    upload: refuse,
    download: refuse,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const NOTHING: ExecResult = { exit: 44, stdout: '', stderr: '' };
const says = (stdout: string): ExecResult => ({ exit: 0, stdout, stderr: '' });

// Files that a step only writes where they are there.
const THERE: Readonly<Record<string, string>> = {
  '/etc/selinux/config': 'SELINUX=enforcing\nSELINUXTYPE=targeted\n',
  '/etc/fstab': '/dev/sda1 / xfs defaults 0 0\n/dev/sda2 none swap defaults 0 0\n',
};

function answer(script: string): ExecResult {
  const [, read = ''] = /cat -- (\S+) \|\| exit 1$/.exec(script) ?? [];
  if (read in THERE) return says(THERE[read]!);
  // The kernel has every setting, with another value.
  if (read.startsWith('/proc/sys/')) return says('2\n');
  if (script.includes('exit 44')) return NOTHING;
  if (script.includes('systemctl show')) return says('LoadState=not-found\nActiveState=inactive\nSubState=dead\n');
  return says('');
}
