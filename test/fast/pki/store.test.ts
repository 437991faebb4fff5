import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { certificateProblems, daysLeft } from '../../../src/pki/validate.ts';
import { issueCertificate } from '../../../src/pki/issue.ts';
import { makeKey } from '../../../src/pki/key.ts';
import type { CaRequest, CertificateRequest } from '../../../src/pki/request.ts';
import { certificatePath, ensurePki, keyPath, pkiProblems, readPair } from '../../../src/pki/store.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-pki-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = () => join(root, String(folders++));

const ca: CaRequest = { name: 'ca', commonName: 'kubexm prod', days: 3650 };
const server: CertificateRequest = {
  name: 'server',
  commonName: 'registry',
  organizations: ['system:masters'],
  dns: ['dockerhub.kubexm.local', 'localhost'],
  ips: ['10.0.0.2', 'fd00::2'],
  usages: ['server', 'client'],
  days: 365,
  renewDays: 30,
};
const request = { ca, certificates: [server] };
const verify = (folder: string, name = 'server') =>
  execFileSync(
    'openssl',
    ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', join(folder, 'ca.crt'), join(folder, `${name}.crt`)],
    { encoding: 'utf8' },
  );

describe('a CA and its certificates', () => {
  it.each(['ecdsa', 'rsa'] as const)(
    'are created with %s, pass strict verification, and are not replaced',
    async (algorithm) => {
      const folder = newFolder();
      const wanted = { ca: { ...ca, algorithm }, certificates: [{ ...server, algorithm }] };
      expect(await pkiProblems(folder, wanted)).toEqual(['ca.crt: it is missing', 'server.crt: it is missing']);
      await ensurePki(folder, wanted);
      expect(await pkiProblems(folder, wanted)).toEqual([]);
      expect(verify(folder)).toContain('OK');
      const text = execFileSync('openssl', ['x509', '-in', join(folder, 'server.crt'), '-noout', '-text'], {
        encoding: 'utf8',
      });
      expect(text).toContain('DNS:dockerhub.kubexm.local, DNS:localhost, IP Address:10.0.0.2, IP Address:FD00');
      expect(text).toContain('O = system:masters, CN = registry');

      const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
      await ensurePki(folder, wanted);
      expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);
    },
  );

  it('are readable by their owner only', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(keyPath(folder, 'ca')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
  });

  it('may be in subfolders, as with kubeadm', async () => {
    const folder = newFolder();
    const etcd = { ca: { ...ca, name: 'etcd/ca' }, certificates: [{ ...server, name: 'etcd/server' }] };
    await ensurePki(folder, etcd);
    expect(await pkiProblems(folder, etcd)).toEqual([]);
    expect(readdirSync(join(folder, 'etcd'))).toHaveLength(4);
  });

  it('accept an external CA', async () => {
    const folder = newFolder();
    await ensurePki(folder, { ca, certificates: [] });
    execFileSync('sh', [
      '-c',
      `cd ${folder} && openssl ecparam -name secp384r1 -genkey -noout -out ca.key && openssl req -x509 -new -key ca.key -subj /CN=theirs -addext keyUsage=critical,keyCertSign -days 30 -out ca.crt`,
    ]);
    await ensurePki(folder, { ca, certificates: [{ ...server, renewDays: 10 }] });
    expect(verify(folder)).toContain('OK');
    expect(daysLeft(readFileSync(join(folder, 'server.crt'), 'utf8')), 'it expires no later than its CA').toBe(29);
  });
});

describe('a certificate', () => {
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);

  it.each([
    ['a DNS name is missing', { dns: ['other.example.com'] }, 'it is not valid for other.example.com'],
    ['an IPv4 address is missing', { ips: ['10.0.0.9'] }, 'it is not valid for 10.0.0.9'],
    ['an IPv6 address is missing', { ips: ['fd00::9'] }, 'it is not valid for fd00::9'],
    ['its common name differs', { commonName: 'other' }, 'its subject lacks CN=other'],
    ['an organization is missing', { organizations: ['system:nodes'] }, 'its subject lacks O=system:nodes'],
    ['it is about to expire', { renewDays: 400 }, 'it expires in 364 days'],
  ])('is reissued for the same key when %s', async (_, change, problem) => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const key = readFileSync(keyPath(folder, 'server'), 'utf8');
    const changed = { ca, certificates: [{ ...server, ...change, days: 500 }] };
    expect(await pkiProblems(folder, changed)).toEqual([`server.crt: ${problem}`]);
    await ensurePki(folder, changed);
    expect(await pkiProblems(folder, changed)).toEqual([]);
    expect(readFileSync(keyPath(folder, 'server'), 'utf8')).toBe(key);
  });

  it('for clients only is not a server certificate', async () => {
    const folder = newFolder();
    await ensurePki(folder, { ca, certificates: [{ ...server, usages: ['client'] }] });
    expect(await pkiProblems(folder, request)).toEqual(['server.crt: it is not a server certificate']);
  });

  it('is rejected if another CA issued it or the key does not match', async () => {
    const [folder, other] = [newFolder(), newFolder()];
    await Promise.all([ensurePki(folder, request), ensurePki(other, request)]);
    const [own, theirs] = await Promise.all([readPair(folder, 'server'), readPair(other, 'server')]);
    const caText = readFileSync(join(folder, 'ca.crt'), 'utf8');
    expect(certificateProblems(theirs, server, caText)).toEqual(['it was issued by another CA']);
    expect(certificateProblems({ ...own, key: theirs.key }, server, caText)).toEqual([
      'it does not match its private key',
    ]);
  });

  it('is rejected if it names the CA, but another key signed it', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const { certificate: issuer } = await readPair(folder, 'ca');
    const [key, forger] = [await makeKey('ecdsa'), await makeKey('ecdsa')];
    const forged = await issueCertificate(server, key, { certificate: issuer!, key: forger });
    expect(certificateProblems({ certificate: forged, key }, server, issuer)).toEqual(['it was issued by another CA']);
  });

  it('is reissued one day after its renewal threshold, not on the day itself', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const [found, { certificate: caText }] = await Promise.all([readPair(folder, 'server'), readPair(folder, 'ca')]);
    const expiry = new Date(new X509Certificate(found.certificate!).validTo).getTime();
    const thirtyDaysBefore = expiry - 30 * 86_400_000;
    expect(certificateProblems(found, server, caText, new Date(thirtyDaysBefore))).toEqual([]);
    expect(certificateProblems(found, server, caText, new Date(thirtyDaysBefore + 1))).toEqual([
      'it expires in 29 days',
    ]);
  });

  it('cannot issue certificates itself', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const leaf = readFileSync(certificatePath(folder, 'server'), 'utf8');
    expect(new X509Certificate(leaf).ca).toBe(false);
    expect(new X509Certificate(readFileSync(certificatePath(folder, 'ca'), 'utf8')).ca).toBe(true);
    const options = { input: leaf, encoding: 'utf8' } as const;
    expect(execFileSync('openssl', ['x509', '-noout', '-ext', 'basicConstraints'], options)).toContain('CA:FALSE');
    const [{ key }, stolen] = [await readPair(folder, 'server'), await makeKey()];
    const forged = await issueCertificate({ ...server, name: 'forged' }, stolen, { certificate: leaf, key: key! });
    writeFileSync(join(folder, 'forged.crt'), forged);
    expect(() =>
      execFileSync(
        'openssl',
        [
          'verify',
          '-CAfile',
          join(folder, 'ca.crt'),
          '-untrusted',
          certificatePath(folder, 'server'),
          join(folder, 'forged.crt'),
        ],
        { stdio: 'pipe' },
      ),
    ).toThrow('invalid CA certificate');
  });

  it('reports when it expired or becomes valid', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const [found, { certificate: caText }] = await Promise.all([readPair(folder, 'server'), readPair(folder, 'ca')]);
    const expiry = new Date(new X509Certificate(found.certificate!).validTo).toISOString().slice(0, 10);
    expect(certificateProblems(found, server, caText, later(366))).toEqual([`it expired on ${expiry}`]);
    expect(certificateProblems(found, server, caText, later(-2))[0]).toMatch(/^it is not valid before /);
  });

  it('is issued for an existing key after an interruption', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    const key = readFileSync(keyPath(folder, 'server'), 'utf8');
    rmSync(certificatePath(folder, 'server'));
    await ensurePki(folder, request);
    expect(readFileSync(keyPath(folder, 'server'), 'utf8')).toBe(key);
    expect(verify(folder)).toContain('OK');
  });
});

describe('a CA', () => {
  it('is not replaced if unusable, and the file is reported', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    writeFileSync(keyPath(folder, 'ca'), (await makeKey()).reveal());
    const before = readFileSync(keyPath(folder, 'ca'), 'utf8');
    await expect(ensurePki(folder, request)).rejects.toMatchObject({ code: 'PKI_UNUSABLE' });
    expect(readFileSync(keyPath(folder, 'ca'), 'utf8')).toBe(before);
  });

  it('may have its key elsewhere as long as nothing has to be issued', async () => {
    const folder = newFolder();
    await ensurePki(folder, request);
    rmSync(keyPath(folder, 'ca'));
    await ensurePki(folder, request);
    await expect(ensurePki(folder, { ca, certificates: [{ ...server, name: 'second' }] })).rejects.toMatchObject({
      code: 'PKI_UNUSABLE',
    });
  });
});

it('uses unique serial numbers', async () => {
  const folder = newFolder();
  await ensurePki(folder, request);
  const caPair = await readPair(folder, 'ca');
  const key = await makeKey();
  const serials = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const certificate = await issueCertificate(server, key, { certificate: caPair.certificate!, key: caPair.key! });
      return new X509Certificate(certificate).serialNumber;
    }),
  );
  expect(new Set(serials).size).toBe(20);
  expect(serials.every((serial) => /^[4][0-9A-F]{31}$/.test(serial))).toBe(true);
});
