import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KubexmError } from '../../../src/common/errors/errors.ts';
import { checkHostKey, hostKeyAlgorithms } from '../../../src/connector/host-key.ts';
import { parseKnownHosts } from '../../../src/connector/known-hosts-file.ts';
import { fingerprint, keyText, knownHosts, type NewHostKey } from '../../../src/connector/known-hosts.ts';
import { runProgram } from '../../../src/connector/program.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubexm-known-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE//Edgxy5XiYxevpfFSzHn4+aG/evRse5M9MhwpTSiR';
const OTHER = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFmaUDrXGdOnHJBNmvsNtpc384TIShFjwdAdCduBRZyZ';
const target = { name: 'node1', address: '10.0.0.1', port: 22, user: 'root', timeoutMs: 1000 };

const fileWith = async (text: string, name = 'known_hosts') => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

it('formats keys and fingerprints like ssh-keygen', async () => {
  const path = await fileWith(`${KEY}\n`, 'key.pub');
  const { stdout } = await runProgram(['ssh-keygen', '-l', '-f', path]);
  expect(fingerprint(KEY)).toBe(stdout.split(' ')[1]);
  expect(keyText(Buffer.from(KEY.split(' ')[1]!, 'base64'))).toBe(KEY);
});

describe('a known_hosts file', () => {
  const keysOf = (text: string, name: string) => parseKnownHosts(text).find(name);

  it('has lists of names, comments and keys of several types', () => {
    const text = `# a comment\n10.0.0.1,[10.0.0.1]:2222 ${KEY} me@here\n\n10.0.0.2 ${OTHER}\n10.0.0.2 ssh-rsa AAAA\n`;
    expect(keysOf(text, '[10.0.0.1]:2222')).toEqual([{ key: KEY, line: 2, revoked: false }]);
    expect(keysOf(text, '10.0.0.2').map(({ key }) => key)).toEqual([OTHER, 'ssh-rsa AAAA']);
    expect(keysOf(text, '10.0.0.3')).toEqual([]);
  });

  it.each(['10.0.0.1', '0.0.0.11', '10.0.0.111', '10.0.0'])('does not confuse 10.0.0.11 with %s', (name) =>
    expect(keysOf(`10.0.0.11 ${KEY}\n`, name)).toEqual([]),
  );

  it('matches names as ssh does: upper case, wildcards and negations', () => {
    const text = `Node1.Example.com ${KEY}\n*.lab,!bad.lab ${OTHER}\n10.0.1.? ${OTHER}\n`;
    expect(keysOf(text, 'node1.example.COM')).toHaveLength(1);
    expect(keysOf(text, 'a.lab')).toHaveLength(1);
    expect(keysOf(text, 'bad.lab')).toEqual([]);
    expect(keysOf(text, 'axlab')).toEqual([]);
    expect(keysOf(text, '10.0.1.7')).toHaveLength(1);
    expect(keysOf(text, '10.0.1.77')).toEqual([]);
  });

  it('has hashed names, as ssh-keygen -H writes them', async () => {
    const path = await fileWith(`10.0.0.1 ${KEY}\n[10.0.0.1]:2222 ${OTHER}\n`);
    await runProgram(['ssh-keygen', '-H', '-f', path]);
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain('10.0.0.1');
    expect(keysOf(text, '10.0.0.1').map(({ key }) => key)).toEqual([KEY]);
    expect(keysOf(text, '[10.0.0.1]:2222').map(({ key }) => key)).toEqual([OTHER]);
    expect(keysOf(text, '10.0.0.2')).toEqual([]);
  });

  it('has keys of certificate authorities, which are no host keys', () =>
    expect(keysOf(`@cert-authority *.example.com,10.0.0.1 ${KEY}\n`, '10.0.0.1')).toEqual([]));

  it('has unknown markers and truncated lines, which are ignored', () =>
    expect(keysOf(`@future 10.0.0.1 ${KEY}\n10.0.0.1\n10.0.0.1 ssh-ed25519\n`, '10.0.0.1')).toEqual([]));

  it('is searched in constant time per host', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `host-${index}`);
    const file = parseKnownHosts(names.map((name) => `${name} ${KEY}\n`).join(''));
    const start = performance.now();
    for (const name of names) expect(file.find(name).length).toBe(1);
    // About 0.3 s with the assertions; a search through all lines takes minutes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('the host keys of a cluster', () => {
  it('are added concurrently, each host once, in a file that only its owner can read', async () => {
    const hosts = knownHosts(join(folder, 'deep', 'known_hosts'));
    const added = await Promise.all(
      Array.from({ length: 40 }, (_, index) => hosts.trust(`10.0.0.${index % 20}`, index < 20 ? KEY : OTHER)),
    );
    expect(added.filter(Boolean)).toHaveLength(20);
    const lines = (await readFile(hosts.path, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(20);
    expect((await stat(hosts.path)).mode & 0o777).toBe(0o600);
    expect(await hosts.find('10.0.0.3')).toEqual([{ key: KEY, path: hosts.path, line: 4 }]);
    expect(await knownHosts(hosts.path).find('10.0.0.3')).toEqual([{ key: KEY, path: hosts.path, line: 4 }]);
  });

  it('are appended, so that lines of another process are kept', async () => {
    const path = await fileWith(`10.0.0.9 ${KEY}`);
    const hosts = knownHosts(path);
    await hosts.find('10.0.0.1');
    await writeFile(path, `10.0.0.8 ${KEY}\n`, { flag: 'a' });
    await hosts.trust('10.0.0.1', KEY);
    expect(await readFile(path, 'utf8')).toContain(`10.0.0.8 ${KEY}\n`);
    expect((await readFile(path, 'utf8')).endsWith(`\n10.0.0.1 ${KEY}\n`)).toBe(true);
  });

  it('are read once, however many hosts there are', async () => {
    const hosts = knownHosts(join(folder, 'known_hosts'));
    const start = performance.now();
    for (let index = 0; index < 2000; index++) {
      const name = `10.1.${index >> 8}.${index & 255}`;
      await hosts.find(name);
      await hosts.trust(name, KEY);
    }
    // About 1 s; with a file that is read and rewritten for each host it grows with the square of the hosts.
    expect(performance.now() - start).toBeLessThan(30_000);
    await rm(hosts.path);
    expect(await hosts.find('10.1.0.7')).toHaveLength(1);
  });

  it('take precedence over those of the user, which count for other hosts', async () => {
    const path = await fileWith(`10.0.0.1 ${KEY}\n`);
    const also = [await fileWith(`10.0.0.1 ${OTHER}\n10.0.0.2 ${OTHER}\n`, 'user'), join(folder, 'missing')];
    const hosts = knownHosts(path, { also, mode: 'strict' });
    await checkHostKey(target, hosts, KEY);
    await checkHostKey({ ...target, address: '10.0.0.2' }, hosts, OTHER);
    await expect(checkHostKey({ ...target, address: '10.0.0.2' }, hosts, KEY)).rejects.toMatchObject({
      code: 'HOST_KEY_CHANGED',
      report: { hint: expect.stringContaining(also[0]!) },
    });
    expect(await readFile(path, 'utf8')).toBe(`10.0.0.1 ${KEY}\n`);
  });

  it('refuse a changed key, unless the pinned key matches', async () => {
    const hosts = knownHosts(join(folder, 'known_hosts'));
    await checkHostKey(target, hosts, KEY);
    await checkHostKey(target, hosts, KEY);
    await expect(checkHostKey(target, hosts, OTHER)).rejects.toMatchObject({ code: 'HOST_KEY_CHANGED' });
    await checkHostKey({ ...target, hostKey: fingerprint(OTHER) }, hosts, OTHER);
    await checkHostKey({ ...target, hostKey: OTHER }, hosts, OTHER);
    await expect(checkHostKey({ ...target, hostKey: OTHER }, hosts, KEY)).rejects.toMatchObject({
      code: 'HOST_KEY_CHANGED',
    });
  });

  it('accept one of two keys that are offered at the same time', async () => {
    const hosts = knownHosts(join(folder, 'known_hosts'));
    const results = await Promise.allSettled([KEY, OTHER].map((key) => checkHostKey(target, hosts, key)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('of unknown hosts are trusted on first use, and reported once', async () => {
    const shown: NewHostKey[] = [];
    const hosts = knownHosts(join(folder, 'known_hosts'), { onNewHostKey: (key) => shown.push(key) });
    await Promise.all([checkHostKey(target, hosts, KEY), checkHostKey(target, hosts, KEY)]);
    expect(shown).toEqual([
      { host: 'node1', address: '10.0.0.1:22', type: 'ssh-ed25519', fingerprint: fingerprint(KEY) },
    ]);
  });

  it('of unknown hosts are refused in strict mode, with the fingerprint and the line to add', async () => {
    const hosts = knownHosts(join(folder, 'known_hosts'), { mode: 'strict' });
    const error: unknown = await checkHostKey(target, hosts, KEY).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'HOST_KEY_UNKNOWN',
      exit: 11,
      report: { message: expect.stringContaining(fingerprint(KEY)) },
    });
    if (!(error instanceof KubexmError)) throw error;
    await runProgram(['sh', '-c', error.report.hint.replace(/^.*If it matches: /, '')]);
    await checkHostKey(target, knownHosts(hosts.path, { mode: 'strict' }), KEY);
  });

  it.each(['10.0.0.1', '*', '10.0.0.*', hashed('10.0.0.1')])('are refused if revoked for %s', async (names) => {
    const also = [await fileWith(`@revoked ${names} ${KEY}\n`, 'user')];
    const hosts = knownHosts(await fileWith(`10.0.0.1 ${KEY}\n`), { also });
    for (const pinned of [target, { ...target, hostKey: KEY }])
      await expect(checkHostKey(pinned, hosts, KEY)).rejects.toMatchObject({
        code: 'HOST_KEY_REVOKED',
        report: { message: expect.stringContaining(`${also[0]}:1`) },
      });
    await checkHostKey({ ...target, address: '10.0.0.2' }, hosts, OTHER);
  });

  it('are reported as unusable if a file cannot be read', async () => {
    const code = 'KNOWN_HOSTS_UNUSABLE';
    await expect(knownHosts(folder).find('10.0.0.1')).rejects.toMatchObject({ code });
    const hosts = knownHosts(join(folder, 'known_hosts'), { also: [folder] });
    await expect(checkHostKey(target, hosts, KEY)).rejects.toMatchObject({ code });
    await expect(knownHosts(join(folder, 'known_hosts')).find('10.0.0.1')).resolves.toEqual([]);
  });
});

describe('host key algorithms', () => {
  const algorithms = async (text: string, hostKey?: string) =>
    hostKeyAlgorithms({ ...target, hostKey }, knownHosts(await fileWith(text)));

  it('begin with the types of the known keys', async () => {
    expect((await algorithms(`10.0.0.1 ssh-rsa AAAA\n`))[0]?.slice(0, 2)).toEqual(['rsa-sha2-512', 'rsa-sha2-256']);
    expect((await algorithms(`10.0.0.1 ecdsa-sha2-nistp384 AAAA\n`))[0]?.[0]).toBe('ecdsa-sha2-nistp384');
    expect((await algorithms('', 'ssh-rsa AAAA'))[0]?.[0]).toBe('rsa-sha2-512');
    expect((await algorithms(''))[0]?.[0]).toBe('ssh-ed25519');
  });

  it('never include SHA-1', async () => {
    for (const lists of [
      await algorithms(''),
      await algorithms('10.0.0.1 ssh-rsa AAAA\n'),
      await algorithms('', fingerprint(KEY)),
    ])
      expect(lists.flat()).not.toContain('ssh-rsa');
  });
});

function hashed(name: string): string {
  const salt = randomBytes(20);
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}
