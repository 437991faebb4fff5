import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkHostKey } from '../../../src/connector/host-key.ts';
import { findKey, fingerprint, keyText, knownHosts } from '../../../src/connector/known-hosts.ts';
import { runProgram } from '../../../src/connector/program.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubexm-known-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE//Edgxy5XiYxevpfFSzHn4+aG/evRse5M9MhwpTSiR';
const OTHER = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFmaUDrXGdOnHJBNmvsNtpc384TIShFjwdAdCduBRZyZ';

it('formats keys and fingerprints like ssh-keygen', async () => {
  const path = join(folder, 'key.pub');
  await writeFile(path, `${KEY}\n`);
  const { stdout } = await runProgram(['ssh-keygen', '-l', '-f', path]);
  expect(fingerprint(KEY)).toBe(stdout.split(' ')[1]);
  expect(keyText(Buffer.from(KEY.split(' ')[1]!, 'base64'))).toBe(KEY);
});

it('adds hosts concurrently, each once', async () => {
  const hosts = knownHosts(join(folder, 'deep', 'known_hosts'));
  await Promise.all(Array.from({ length: 40 }, (_, index) => hosts.trust(`10.0.0.${index % 20}`, KEY)));
  const lines = (await readFile(hosts.path, 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(20);
  expect((await stat(hosts.path)).mode & 0o777).toBe(0o600);
  expect(await hosts.trust('10.0.0.3', OTHER)).toMatchObject({ key: KEY });
});

it('reads files written by ssh', () => {
  const text = `# a comment\n10.0.0.1,[10.0.0.1]:2222 ${KEY} me@here\n\n10.0.0.2 ${OTHER}\n`;
  expect(findKey(text, '[10.0.0.1]:2222')).toEqual({ key: KEY, line: 2 });
  expect(findKey(text, '10.0.0.2')).toEqual({ key: OTHER, line: 4 });
  expect(findKey(text, '10.0.0.3')).toBeUndefined();
});

it('refuses a changed key, and prefers the pinned key to known_hosts', async () => {
  const hosts = knownHosts(join(folder, 'known_hosts'));
  const target = { name: 'node1', address: '10.0.0.1', port: 22, user: 'root', timeoutMs: 1000 };
  await checkHostKey(target, hosts, KEY);
  await checkHostKey(target, hosts, KEY);
  await expect(checkHostKey(target, hosts, OTHER)).rejects.toMatchObject({ code: 'HOST_KEY_CHANGED' });
  await checkHostKey({ ...target, hostKey: fingerprint(OTHER) }, hosts, OTHER);
  await checkHostKey({ ...target, hostKey: OTHER }, hosts, OTHER);
  await expect(checkHostKey({ ...target, hostKey: OTHER }, hosts, KEY)).rejects.toMatchObject({
    code: 'HOST_KEY_CHANGED',
  });
});

it('reports an unusable file', async () => {
  const hosts = knownHosts(join(folder, 'known_hosts'));
  await expect(knownHosts(folder).find('10.0.0.1')).rejects.toMatchObject({ code: 'KNOWN_HOSTS_UNUSABLE' });
  await expect(hosts.find('10.0.0.1')).resolves.toBeUndefined();
});
