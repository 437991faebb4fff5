import { describe, expect, test } from 'vitest';
import { labOptions } from '../../../../src/lab/options.ts';
import { setupScript } from '../../../../src/lab/machine/setup-script.ts';

const keys = [{ path: '/k', publicKey: 'ssh-ed25519 AAAA me' }];

describe('setupScript', () => {
  test('root login needs no sudoers file and no password', () => {
    const script = setupScript(labOptions({}), keys, false);
    expect(script).toContain("printf '%s\\n' 'ssh-ed25519 AAAA me' >\"$home/.ssh/authorized_keys\"");
    expect(script).toContain('PasswordAuthentication no');
    expect(script).not.toMatch(/sudoers|chpasswd/);
  });

  test('other users get sudo without a password', () => {
    expect(setupScript(labOptions({ user: 'ops' }), keys, false)).toContain('ops ALL=(ALL:ALL) NOPASSWD: ALL');
  });

  test('a sudo password that differs from the login password becomes root’s password', () => {
    const script = setupScript(labOptions({ user: 'ops', password: "it's", sudoPassword: 'other' }), keys, false);
    expect(script).toContain(`printf '%s' 'ops:it'\\''s' | chpasswd`);
    expect(script).toContain('root:other | chpasswd');
    expect(script).toContain('Defaults:ops rootpw\nops ALL=(ALL:ALL) ALL');
  });

  test('the jump host listens on port 22', () => {
    const options = labOptions({ port: 2222, jump: true });
    expect(setupScript(options, keys, true)).toContain('Port 22\n');
    expect(setupScript(options, keys, false)).toContain('Port 2222\n');
  });
});
