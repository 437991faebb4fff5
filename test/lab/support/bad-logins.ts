import { join } from 'node:path';
import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';
import { run } from '../../../src/lab/run.ts';
import type { Lab } from '../../../src/lab/up.ts';

/** Passwords of the labs that these logins fail on. */
export const LOGIN = 'login-Canary-91c2';
export const SUDO = 'sudo-Canary-4be0';

/** A way to log in that a host does not let us work by, and what its user is to read. */
export interface BadLogin {
  readonly fault: string;
  /** Instead of what the cluster file has for the host. */
  readonly login: (lab: Lab) => Readonly<Record<string, unknown>>;
  readonly says: (host: string) => readonly (string | RegExp)[];
}

export const badLogins: readonly BadLogin[] = [
  {
    fault: 'silent',
    login: ({ machines: [first] }) => ({ address: first!.address.replace(/\d+$/, '250'), timeout: '3s' }),
    says: (host) => [
      'HOST_UNREACHABLE',
      `${host} cannot be reached`,
      'came about in 3 s',
      /Try +ssh -v -p \d+ [\d.]+250 true/,
    ],
  },
  {
    fault: 'refused',
    login: () => ({ port: 2, timeout: '3s' }),
    says: (host) => ['HOST_UNREACHABLE', `${host} cannot be reached`, /Last answer: connect ECONNREFUSED [\d.]+:2\n/],
  },
  {
    fault: 'wrong-password',
    login: () => ({ privateKeyPath: undefined, password: 'wrong-Canary-1' }),
    says: (host) => [
      'AUTH_FAILED',
      `${host} does not let ops in`,
      'Tried, each once: password',
      /Try +ssh -v -p \d+ ops@/,
    ],
  },
  {
    fault: 'wrong-key',
    login: ({ paths }) => ({ privateKeyPath: otherKey(paths.folder), password: undefined }),
    says: (host) => [
      'AUTH_FAILED',
      `${host} does not let ops in`,
      /Tried, each once: private key \S+other_key/,
      /Try +ssh -v -p \d+ ops@/,
    ],
  },
  {
    fault: 'no-sudo',
    login: () => ({ user: 'guest', sudoPassword: LOGIN }),
    says: (host) => [
      'SUDO_NOT_ALLOWED',
      `guest may not become root on ${host}`,
      'sudo said: guest is not in the sudoers file',
      new RegExp(`Try +As root on ${host}: echo 'guest ALL=`),
    ],
  },
  {
    fault: 'wrong-sudo-password',
    login: () => ({ sudoPassword: 'wrong-Canary-2' }),
    says: (host) => [
      'SUDO_PASSWORD_WRONG',
      `sudo on ${host} refuses the password`,
      'It was tried once',
      new RegExp(`Try +Mend sudoPassword of the host ${host}`),
    ],
  },
  {
    fault: 'no-sudo-password',
    login: () => ({ sudoPassword: undefined, password: undefined }),
    says: (host) => [
      'SUDO_PASSWORD_MISSING',
      `sudo on ${host} asks for a password`,
      new RegExp(`Try +Give sudoPassword for the host ${host}`),
    ],
  },
  {
    fault: 'requiretty',
    login: () => ({ user: 'seated' }),
    says: (host) => [
      'SUDO_NEEDS_TTY',
      `sudo on ${host} wants a terminal`,
      new RegExp(`Try +As root on ${host}: echo 'Defaults:seated !requiretty'`),
    ],
  },
];

/** Makes what the logins need: users that may not use sudo, or only at a terminal, and a key that nobody knows. */
export async function prepareLogins(lab: Lab, machine: Machine): Promise<void> {
  await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', otherKey(lab.paths.folder)]);
  await scriptOn(
    machine,
    `for user in guest seated; do
       useradd -m $user; install -d -m 700 -o $user /home/$user/.ssh
       install -m 600 -o $user ~ops/.ssh/authorized_keys /home/$user/.ssh/authorized_keys
       echo "$user:${LOGIN}" | chpasswd
     done
     printf '%s\\n' 'Defaults:seated requiretty' 'seated ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/seated`,
  );
}

const otherKey = (folder: string) => join(folder, 'other_key');
