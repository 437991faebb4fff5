import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { ageCipher, encryptKeysIn, type KeyProtection } from '../../../src/pki/key-encryption.ts';
import { ensurePki, keyPath, pkiProblems, readPair } from '../../../src/pki/store.ts';
import { localFile } from '../../../src/runner/local-file.ts';
import { encryptFilesIn, readPrivateFile, writePrivateFile } from '../../../src/util/private-file.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-encryption-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = () => {
  const folder = join(root, String(folders++));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

const { generateX25519Identity } = await import('age-encryption');
const newIdentity = async (): Promise<KeyProtection> => ({
  type: 'age-identity',
  identity: new Secret(`# created: today\n# public key: age1x\n${await generateX25519Identity()}\n`),
});
const protect = (folder: string, protection: KeyProtection) =>
  encryptFilesIn(
    folder,
    ageCipher(folder, () => Promise.resolve(protection)),
  );

const request = {
  ca: { name: 'ca', commonName: 'kubexm prod', days: 30 },
  certificates: [{ name: 'node1/admin', commonName: 'admin', usages: ['client'] as const, days: 30, renewDays: 1 }],
};
const contentOf = (path: string) => readFileSync(path, 'latin1');

describe('private keys with an age identity', () => {
  it('are encrypted on disk, and used as if they were not', async () => {
    const folder = newFolder();
    protect(folder, await newIdentity());
    await ensurePki(folder, request);
    for (const name of ['ca', 'node1/admin']) {
      expect(contentOf(keyPath(folder, name))).toMatch(/^age-encryption\.org\/v1\n-> X25519 /);
      expect(contentOf(keyPath(folder, name))).not.toContain('PRIVATE KEY');
      expect(statSync(keyPath(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(contentOf(join(folder, 'ca.crt'))).toContain('BEGIN CERTIFICATE');
    expect(await pkiProblems(folder, request)).toEqual([]);
    expect((await readPair(folder, 'ca')).key?.reveal()).toContain('BEGIN PRIVATE KEY');
  });

  it('are uploaded decrypted, with the checksum of the key', async () => {
    const folder = newFolder();
    protect(folder, await newIdentity());
    const path = join(folder, 'sa.key');
    await writePrivateFile(path, 'the key');
    const source = await localFile(path);
    expect(source).toMatchObject({ size: 7 });
    expect(source!.sha256).toBe((await localFile(plainFile('the key')))!.sha256);
    const chunks = await source!.open(4).toArray();
    expect(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString()).toBe('key');
  });

  it('cannot be read with another identity, or without one', async () => {
    const folder = newFolder();
    protect(folder, await newIdentity());
    await ensurePki(folder, request);
    protect(folder, await newIdentity());
    await expect(readPair(folder, 'ca')).rejects.toMatchObject({ code: 'KEY_ENCRYPTED' });
    const moved = join(newFolder(), 'ca.key');
    writeFileSync(moved, readFileSync(keyPath(folder, 'ca')));
    await expect(readPrivateFile(moved)).rejects.toThrow(
      'neither the cluster file nor the environment sets a decryption key',
    );
  });

  it('that were written before are encrypted, certificates are not', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    for (const name of ['node1/admin.conf', 'encryption.yaml']) writeFileSync(join(folder, name), 'secret');
    protect(folder, await newIdentity());
    const before = (await readPair(folder, 'ca')).key?.reveal();
    await encryptKeysIn(folder);
    const isAge = (name: string) => contentOf(join(folder, name)).startsWith('age-encryption.org');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
    expect(files.filter(isAge).sort()).toEqual(['ca.key', 'encryption.yaml', 'node1/admin.conf', 'node1/admin.key']);
    expect((await readPair(folder, 'ca')).key?.reveal()).toBe(before);
    const encrypted = contentOf(keyPath(folder, 'ca'));
    await encryptKeysIn(folder);
    expect(contentOf(keyPath(folder, 'ca'))).toBe(encrypted);
  });

  it('are refused with something that is not an age identity', async () => {
    const folder = newFolder();
    protect(folder, { type: 'age-identity', identity: new Secret('age1notprivate') });
    await expect(ensurePki(folder, request)).rejects.toThrow('the age identity is invalid');
  });
});

it('a passphrase protects an identity next to the keys; a wrong passphrase is refused', async () => {
  const folder = newFolder();
  const passphrase = (text: string): KeyProtection => ({ type: 'passphrase', passphrase: new Secret(text) });
  protect(folder, passphrase('correct horse'));
  await writePrivateFile(join(folder, 'ca.key'), 'the key');
  expect(contentOf(join(folder, 'identity.age'))).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  expect(statSync(join(folder, 'identity.age')).mode & 0o777).toBe(0o600);
  protect(folder, passphrase('correct horse'));
  expect(await readPrivateFile(join(folder, 'ca.key'))).toBe('the key');
  protect(folder, passphrase('wrong'));
  await expect(readPrivateFile(join(folder, 'ca.key'))).rejects.toThrow('the passphrase is wrong');
}, 120_000);

function plainFile(text: string): string {
  const path = join(newFolder(), 'plain');
  writeFileSync(path, text);
  return path;
}
