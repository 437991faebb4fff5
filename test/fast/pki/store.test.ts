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
const folder = () => join(root, String(folders++));

const authority: CaRequest = { name: 'ca', commonName: 'kubexm prod', days: 3650 };
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
const request = { authority, certificates: [server] };
const verify = (place: string, name = 'server') =>
  execFileSync(
    'openssl',
    ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', join(place, 'ca.crt'), join(place, `${name}.crt`)],
    { encoding: 'utf8' },
  );

describe('an authority and its certificates', () => {
  it.each(['ecdsa', 'rsa'] as const)(
    'with %s are made, strict ones are content with them, and stay',
    async (algorithm) => {
      const place = folder();
      const wanted = { authority: { ...authority, algorithm }, certificates: [{ ...server, algorithm }] };
      expect(await pkiProblems(place, wanted)).toEqual(['ca.crt: it is not there', 'server.crt: it is not there']);
      await ensurePki(place, wanted);
      expect(await pkiProblems(place, wanted)).toEqual([]);
      expect(verify(place)).toContain('OK');
      const text = execFileSync('openssl', ['x509', '-in', join(place, 'server.crt'), '-noout', '-text'], {
        encoding: 'utf8',
      });
      expect(text).toContain('DNS:dockerhub.kubexm.local, DNS:localhost, IP Address:10.0.0.2, IP Address:FD00');
      expect(text).toContain('O = system:masters, CN = registry');

      const before = readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'));
      await ensurePki(place, wanted);
      expect(readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'))).toEqual(before);
    },
  );

  it('are kept from others', async () => {
    const place = folder();
    await ensurePki(place, request);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(statSync(keyPath(place, 'ca')).mode & 0o777).toBe(0o600);
    expect(readdirSync(place).toSorted()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
  });

  it('may stand in folders, as kubeadm has them', async () => {
    const place = folder();
    const etcd = { authority: { ...authority, name: 'etcd/ca' }, certificates: [{ ...server, name: 'etcd/server' }] };
    await ensurePki(place, etcd);
    expect(await pkiProblems(place, etcd)).toEqual([]);
    expect(readdirSync(join(place, 'etcd'))).toHaveLength(4);
  });

  it('take an authority of others', async () => {
    const place = folder();
    await ensurePki(place, { ca: authority, certificates: [] });
    execFileSync('sh', [
      '-c',
      `cd ${place} && openssl ecparam -name secp384r1 -genkey -noout -out ca.key && openssl req -x509 -new -key ca.key -subj /CN=theirs -addext keyUsage=critical,keyCertSign -days 30 -out ca.crt`,
    ]);
    await ensurePki(place, { ca: authority, certificates: [{ ...server, renewDays: 10 }] });
    expect(verify(place)).toContain('OK');
    expect(daysLeft(readFileSync(join(place, 'server.crt'), 'utf8')), 'it does not outlive its authority').toBe(29);
  });
});

describe('a certificate', () => {
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);

  it.each([
    ['a name is missing', { dns: ['other.example.com'] }, 'it is not for other.example.com'],
    ['an address is missing', { ips: ['10.0.0.9'] }, 'it is not for 10.0.0.9'],
    ['an address of IPv6 is missing', { ips: ['fd00::9'] }, 'it is not for fd00::9'],
    ['its subject is another one', { commonName: 'other' }, 'it does not say CN=other'],
    ['a group is missing', { organizations: ['system:nodes'] }, 'it does not say O=system:nodes'],
    ['it is near its end', { renewDays: 400 }, 'it ends in 364 days'],
  ])('is made anew for its key when %s', async (_, change, fault) => {
    const place = folder();
    await ensurePki(place, request);
    const key = readFileSync(keyPath(place, 'server'), 'utf8');
    const changed = { authority, certificates: [{ ...server, ...change, days: 500 }] };
    expect(await pkiProblems(place, changed)).toEqual([`server.crt: ${fault}`]);
    await ensurePki(place, changed);
    expect(await pkiProblems(place, changed)).toEqual([]);
    expect(readFileSync(keyPath(place, 'server'), 'utf8')).toBe(key);
  });

  it('for clients only is none for a server', async () => {
    const place = folder();
    await ensurePki(place, { ca: authority, certificates: [{ ...server, usages: ['client'] }] });
    expect(await pkiProblems(place, request)).toEqual(['server.crt: it is not for a server']);
  });

  it('of another authority, or with another key, is found out', async () => {
    const [place, other] = [folder(), folder()];
    await Promise.all([ensurePki(place, request), ensurePki(other, request)]);
    const [own, theirs] = await Promise.all([readPair(place, 'server'), readPair(other, 'server')]);
    const ca = readFileSync(join(place, 'ca.crt'), 'utf8');
    expect(certificateProblems(theirs, server, ca)).toEqual(['another authority made it']);
    expect(certificateProblems({ ...own, key: theirs.key }, server, ca)).toEqual(['its key is another one']);
  });

  it('tells when it ended and when it begins', async () => {
    const place = folder();
    await ensurePki(place, request);
    const [found, { certificate: ca }] = await Promise.all([readPair(place, 'server'), readPair(place, 'ca')]);
    const ended = new Date(new X509Certificate(found.certificate!).validTo).toISOString().slice(0, 10);
    expect(certificateProblems(found, server, ca, later(366))).toEqual([`it ended on ${ended}`]);
    expect(certificateProblems(found, server, ca, later(-2))[0]).toMatch(/^it begins only on /);
  });

  it('whose making was cut off after its key is made for that key', async () => {
    const place = folder();
    await ensurePki(place, request);
    const key = readFileSync(keyPath(place, 'server'), 'utf8');
    rmSync(certificatePath(place, 'server'));
    await ensurePki(place, request);
    expect(readFileSync(keyPath(place, 'server'), 'utf8')).toBe(key);
    expect(verify(place)).toContain('OK');
  });
});

describe('an authority', () => {
  it('that cannot be used is left alone, and the file is named', async () => {
    const place = folder();
    await ensurePki(place, request);
    writeFileSync(keyPath(place, 'ca'), (await makeKey()).reveal());
    const before = readFileSync(keyPath(place, 'ca'), 'utf8');
    await expect(ensurePki(place, request)).rejects.toMatchObject({ code: 'PKI_UNUSABLE' });
    expect(readFileSync(keyPath(place, 'ca'), 'utf8')).toBe(before);
  });

  it('whose key is kept elsewhere is enough as long as nothing has to be made', async () => {
    const place = folder();
    await ensurePki(place, request);
    rmSync(keyPath(place, 'ca'));
    await ensurePki(place, request);
    await expect(ensurePki(place, { ca: authority, certificates: [{ ...server, name: 'second' }] })).rejects.toMatchObject({
      code: 'PKI_UNUSABLE',
    });
  });
});

it('has no two certificates with the same number', async () => {
  const place = folder();
  await ensurePki(place, request);
  const ca = await readPair(place, 'ca');
  const key = await makeKey();
  const numbers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const made = await issueCertificate(server, key, { certificate: ca.certificate!, key: ca.key! });
      return new X509Certificate(made).serialNumber;
    }),
  );
  expect(new Set(numbers).size).toBe(20);
  expect(numbers.every((number) => /^[4][0-9A-F]{31}$/.test(number))).toBe(true);
});
