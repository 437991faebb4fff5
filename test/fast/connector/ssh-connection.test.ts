import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KubexmError } from '../../../src/common/errors/errors.ts';
import { Secret } from '../../../src/common/secret.ts';
import { shareJumpHost } from '../../../src/connector/jump-host.ts';
import { knownHosts, type KnownHostsOptions } from '../../../src/connector/known-hosts.ts';
import { SshConnection } from '../../../src/connector/ssh-connection.ts';
import type { Target } from '../../../src/connector/target.ts';
import { sshServer } from './ssh-server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-ssh-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const targetOf = (port: number, extra: Partial<Target> = {}): Target => ({
  name: 'node1',
  address: '127.0.0.1',
  port,
  user: 'root',
  timeoutMs: 20_000,
  password: new Secret('Right-canary'),
  ...extra,
});

const known = (options: KnownHostsOptions = {}) => knownHosts(join(folder, 'known_hosts'), options);

/** Connects and closes; resolves with the error code, or undefined. */
async function connectTo(target: Target, hosts = known()): Promise<string | undefined> {
  const connection = new SshConnection(target, hosts, undefined);
  try {
    await connection.client();
    return undefined;
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    return error.code;
  } finally {
    await connection.close();
  }
}

describe('credentials', () => {
  it('that are refused are offered once, however often the host is needed', async () => {
    await using server = await sshServer({ password: 'other' });
    const connection = new SshConnection(targetOf(server.port), known(), undefined);
    for (let time = 0; time < 3; time++)
      await expect(connection.client()).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    await connection.close();
    expect(server.attempts).toEqual([{ method: 'password', user: 'root', password: 'Right-canary' }]);
  });
});

describe('a host key', () => {
  it('that is unknown is trusted on first use, and its fingerprint is reported', async () => {
    await using server = await sshServer({ password: 'Right-canary' });
    const shown: string[] = [];
    const hosts = known({ onNewHostKey: ({ fingerprint }) => shown.push(fingerprint) });
    expect(await connectTo(targetOf(server.port), hosts)).toBeUndefined();
    expect(shown).toEqual([expect.stringMatching(/^SHA256:/)]);
    expect(readFileSync(hosts.path, 'utf8')).toContain(`[127.0.0.1]:${server.port} ssh-ed25519`);
    expect(await connectTo(targetOf(server.port), known({ mode: 'strict' }))).toBeUndefined();
  });

  it('that is unknown in strict mode, changed or revoked gets no credential', async () => {
    await using server = await sshServer({ password: 'Right-canary' });
    expect(await connectTo(targetOf(server.port), known({ mode: 'strict' }))).toBe('HOST_KEY_UNKNOWN');
    const other = ssh2.utils.generateKeyPairSync('ed25519').public;
    expect(await connectTo(targetOf(server.port, { hostKey: other }))).toBe('HOST_KEY_CHANGED');
    await using again = await sshServer({ password: 'Right-canary' });
    expect(await connectTo(targetOf(again.port))).toBeUndefined();
    const [, type = '', key = ''] = readFileSync(join(folder, 'known_hosts'), 'utf8').split(/\s+/);
    const revoked = join(folder, 'revoked');
    writeFileSync(revoked, `@revoked * ${type} ${key}\n`);
    expect(await connectTo(targetOf(again.port), known({ also: [revoked] }))).toBe('HOST_KEY_REVOKED');
    expect(server.attempts).toEqual([]);
    expect(again.attempts).toHaveLength(1);
  });

  it('of type RSA signs with SHA-2; a host that can only use SHA-1 is refused', async () => {
    const { private: hostKey } = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 });
    await using modern = await sshServer({ password: 'Right-canary', hostKey });
    expect(await connectTo(targetOf(modern.port))).toBeUndefined();
    await using old = await sshServer({
      password: 'Right-canary',
      hostKey,
      algorithms: { serverHostKey: ['ssh-rsa'] },
    });
    expect(await connectTo(targetOf(old.port))).toBe('HOST_UNREACHABLE');
    expect(old.attempts).toEqual([]);
  });
});

describe('a jump host', () => {
  it('gets its own credentials only, and the host behind it its own', async () => {
    await using node = await sshServer({ password: 'Right-canary' });
    await using jump = await sshServer({ password: 'Jump-canary' });
    const hosts = known();
    const jumpTarget = targetOf(jump.port, { name: 'jump', user: 'ops', password: new Secret('Jump-canary') });
    const shared = shareJumpHost(jumpTarget, hosts);
    const connection = new SshConnection(targetOf(node.port), hosts, shared.connection);
    await connection.client();
    await connection.close();
    await shared.release();
    expect(jump.attempts).toEqual([{ method: 'password', user: 'ops', password: 'Jump-canary' }]);
    expect(node.attempts).toEqual([{ method: 'password', user: 'root', password: 'Right-canary' }]);
  });

  it('is shared only by hosts that log in to it in the same way', () => {
    const hosts = known();
    const jumpTarget = (extra: Partial<Target>) => targetOf(22, { name: 'jump', ...extra });
    const one = shareJumpHost(jumpTarget({}), hosts);
    const same = shareJumpHost(jumpTarget({}), hosts);
    const others = [
      { password: new Secret('Other-canary') },
      { hostKey: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU' },
      { privateKeyPath: '/other' },
      { user: 'ops' },
    ].map((extra) => shareJumpHost(jumpTarget(extra), hosts));
    expect(same.connection).toBe(one.connection);
    expect(new Set([one, ...others].map(({ connection }) => connection)).size).toBe(5);
  });
});
