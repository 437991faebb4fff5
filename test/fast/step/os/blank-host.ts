import type { Connector, ExecResult } from '../../../../src/connector/connector.ts';

/** A host without any files on which every condition is true and nothing is changed, so prechecks report all changes. */
export function blankHost(host: string): Connector {
  const refuse = () => Promise.reject(new Error('a blank host only supports queries'));
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
    tunnel: refuse,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const NOTHING: ExecResult = { exit: 44, stdout: '', stderr: '' };
const succeeds = (stdout: string): ExecResult => ({ exit: 0, stdout, stderr: '' });

// Files that a step only changes if they exist.
const FILES: Readonly<Record<string, string>> = {
  '/etc/selinux/config': 'SELINUX=enforcing\nSELINUXTYPE=targeted\n',
  '/etc/fstab': '/dev/sda1 / xfs defaults 0 0\n/dev/sda2 none swap defaults 0 0\n',
};

function answer(script: string): ExecResult {
  const [, read = ''] = /cat -- (\S+) \|\| exit 1$/.exec(script) ?? [];
  if (read in FILES) return succeeds(FILES[read]!);
  // The kernel has every setting, with another value.
  if (read.startsWith('/proc/sys/')) return succeeds('2\n');
  // No file has the expected content.
  if (script.includes('exit 44') || script.includes('| sha256sum')) return NOTHING;
  if (script.includes('systemctl show')) return succeeds('LoadState=not-found\nActiveState=inactive\nSubState=dead\n');
  return succeeds('');
}
