import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { shellCommand } from '../../../src/connector/shell-command.ts';
import { promptResponder, sudoFailure } from '../../../src/connector/sudo.ts';
import type { Transport } from '../../../src/connector/transport.ts';

const transport: Transport = {
  host: 'node1',
  user: 'ubuntu',
  open: () => Promise.reject(new Error('not here')),
  tunnel: () => Promise.reject(new Error('not here')),
  close: () => Promise.resolve(),
};

it.each([
  ['sudo: a password is required', 'SUDO_PASSWORD_MISSING'],
  ['Sorry, try again.\nsudo: no password was provided\nsudo: 1 incorrect password attempt', 'SUDO_PASSWORD_WRONG'],
  ['ubuntu is not in the sudoers file.', 'SUDO_NOT_ALLOWED'],
  ['Sorry, user ubuntu is not allowed to execute "/usr/bin/env" as root on node1.', 'SUDO_NOT_ALLOWED'],
  ['sudo: sorry, you must have a tty to run sudo', 'SUDO_NEEDS_TTY'],
  ["/usr/bin/env: 'sudo': No such file or directory", 'SUDO_MISSING'],
])('classifies %j', (output, code) => expect(sudoFailure(transport, output).code).toBe(code));

it('distinguishes a wrong password from a missing one', () =>
  expect(sudoFailure({ ...transport, sudoPassword: new Secret('x') }, 'sudo: a password is required').code).toBe(
    'SUDO_PASSWORD_WRONG',
  ));

it('builds a command line that every login shell parses the same way', () => {
  const command = shellCommand({ marker: 'mark', sudo: { prompt: 'ask' } });
  expect(command).not.toMatch(/[!\n`]/);
  expect(command.split("'")).toHaveLength(3);
  expect(command).toContain('sudo -S -p ask --');
});

it('answers the password prompt once, and takes a second prompt as a rejection', () => {
  const stdin = new PassThrough();
  const rejected: string[] = [];
  const respond = promptResponder(
    { ...transport, sudoPassword: new Secret('Sudo-canary') },
    'ask',
    stdin,
    ({ code }) => void rejected.push(code),
  );
  respond('We trust you');
  expect(stdin.read()).toBeNull();
  respond('We trust you\nask');
  respond('We trust you\nask\n');
  expect(String(stdin.read())).toBe('Sudo-canary\n');
  expect(rejected).toEqual([]);
  respond('We trust you\nask\nSorry, try again.\nask');
  expect(stdin.read()).toBeNull();
  expect(rejected).toEqual(['SUDO_PASSWORD_WRONG']);
});
