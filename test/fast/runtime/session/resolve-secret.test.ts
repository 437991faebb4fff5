import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../../src/common/secret.ts';
import type { SecretSource } from '../../../../src/config/model/secrets.ts';
import { resolveSecret } from '../../../../src/runtime/session/resolve-secret.ts';
import { home } from '../../cli/kubexm.ts';

afterEach(() => vi.unstubAllEnvs());

const resolved = async (source: SecretSource) => (await resolveSecret(source, 'hosts.node1.password')).reveal();
const fileWith = (text: string): SecretSource => {
  const path = join(home(), 'secret');
  writeFileSync(path, text);
  return { type: 'file', path };
};
const envWith = (text: string): SecretSource => {
  vi.stubEnv('KUBEXM_TEST_SECRET', text);
  return { type: 'env', name: 'KUBEXM_TEST_SECRET' };
};
const exec = (command: string): SecretSource => ({ type: 'exec', command });

describe('a secret', () => {
  it('is taken from the cluster file as it is', async () => {
    expect(await resolved({ type: 'value', value: new Secret('a b\n') })).toBe('a b\n');
  });

  it.each<[string, () => SecretSource]>([
    ['an environment variable', () => envWith('pass word\n')],
    ['a file', () => fileWith('pass word\n')],
    ['a file with Windows line ends', () => fileWith('pass word\r\n')],
    ['a file without a line end', () => fileWith('pass word')],
    ['the output of a command', () => exec('echo pass word')],
  ])('is taken from %s, without the line end', async (_, source) => {
    expect(await resolved(source())).toBe('pass word');
  });

  it('keeps spaces and all other lines, as in a private key', async () => {
    expect(await resolved(fileWith(' one\ntwo \n\n'))).toBe(' one\ntwo \n');
  });

  it.each<[string, () => SecretSource, string]>([
    ['variable is not set', () => ({ type: 'env', name: 'KUBEXM_NOT_SET' }), 'KUBEXM_NOT_SET is not set'],
    ['variable is empty', () => envWith(''), 'KUBEXM_TEST_SECRET is not set'],
    ['file does not exist', () => ({ type: 'file', path: '/nonexistent' }), '/nonexistent cannot be read or is empty'],
    ['file has only a line end', () => fileWith('\n'), 'cannot be read or is empty'],
    ['command fails, whatever it printed', () => exec('echo no; exit 1'), 'failed or printed nothing'],
    ['command prints nothing', () => exec('true'), 'failed or printed nothing'],
  ])('is missing if the %s', async (_, source, reason) => {
    await expect(resolved(source())).rejects.toMatchObject({
      code: 'SECRET_MISSING',
      message: expect.stringContaining(reason),
    });
  });
});
