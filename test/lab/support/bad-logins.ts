import { join } from 'node:path';
import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';
import { run } from '../../../src/lab/run.ts';
import type { Lab } from '../../../src/lab/up.ts';

/** Passwords of the lab user. */
export const LOGIN_PASSWORD = 'login-Canary-91c2';
export const SUDO_PASSWORD = 'sudo-Canary-4be0';

/** A login that fails, and the expected error message. */
export interface BadLogin {
  readonly fault: string;
  /** Host fields that replace those of the cluster file. */
  readonly login: (lab: Lab) => Readonly<Record<string, unknown>>;
  readonly expected: (host: string) => readonly (string | RegExp)[];
}

export const badLogins: readonly BadLogin[] = [
  {
    fault: 'silent',
    login: ({ machines: [first] }) => ({ address: first!.address.replace(/\d+$/, '250'), timeout: '3s' }),
    expected: (host) => [
      'HOST_UNREACHABLE',
      `${host} is unreachable`,
      'over SSH within 3 s',
      /Try +ssh -v -p \d+ [\d.]+250 true/,
    ],
  },
  {
    fault: 'refused',
    login: () => ({ port: 2, timeout: '3s' }),
    expected: (host) => ['HOST_UNREACHABLE', `${host} is unreachable`, /Last error: connect ECONNREFUSED [\d.]+:2\n/],
  },
  {
    fault: 'wrong-password',
    login: () => ({ privateKeyPath: undefined, password: 'wrong-Canary-1' }),
    expected: (host) => [
      'AUTH_FAILED',
      `Could not log in to ${host} as ops`,
      'Tried each of these once: password',
      /Try +ssh -v -p \d+ ops@/,
    ],
  },
  {
    fault: 'wrong-key',
    login: ({ paths }) => ({ privateKeyPath: otherKey(paths.folder), password: undefined }),
    expected: (host) => [
      'AUTH_FAILED',
      `Could not log in to ${host} as ops`,
      /Tried each of these once: private key \S+other_key/,
      /Try +ssh -v -p \d+ ops@/,
    ],
  },
  {
    fault: 'no-sudo',
    login: () => ({ user: 'guest', sudoPassword: LOGIN_PASSWORD }),
    expected: (host) => [
      'SUDO_NOT_ALLOWED',
      `guest is not allowed to use sudo on ${host}`,
      'sudo printed: guest is not in the sudoers file',
      new RegExp(`Try +As root on ${host}: echo 'guest ALL=`),
    ],
  },
  {
    fault: 'wrong-sudo-password',
    login: () => ({ sudoPassword: 'wrong-Canary-2' }),
    expected: (host) => [
      'SUDO_PASSWORD_WRONG',
      `sudo on ${host} rejected the password`,
      'It was tried once',
      new RegExp(`Try +Correct sudoPassword for the host ${host}`),
    ],
  },
  {
    fault: 'no-sudo-password',
    login: () => ({ sudoPassword: undefined, password: undefined }),
    expected: (host) => [
      'SUDO_PASSWORD_MISSING',
      `sudo on ${host} requires a password`,
      new RegExp(`Try +Set sudoPassword for the host ${host}`),
    ],
  },
  {
    fault: 'requiretty',
    login: () => ({ user: 'seated' }),
    expected: (host) => [
      'SUDO_NEEDS_TTY',
      `sudo on ${host} requires a terminal`,
      new RegExp(`Try +As root on ${host}: echo 'Defaults:seated !requiretty'`),
    ],
  },
];

/** Creates users without sudo rights and with requiretty, and a key that no machine accepts. */
export async function prepareLogins(lab: Lab, machine: Machine): Promise<void> {
  await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', otherKey(lab.paths.folder)]);
  await scriptOn(
    machine,
    `for user in guest seated; do
       useradd -m $user; install -d -m 700 -o $user /home/$user/.ssh
       install -m 600 -o $user ~ops/.ssh/authorized_keys /home/$user/.ssh/authorized_keys
       echo "$user:${LOGIN_PASSWORD}" | chpasswd
     done
     printf '%s\\n' 'Defaults:seated requiretty' 'seated ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/seated`,
  );
}

const otherKey = (folder: string) => join(folder, 'other_key');
