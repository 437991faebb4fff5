import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { kubernetesCertificates } from '../../../../src/common/cluster-files.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { ensurePki, readPair } from '../../../../src/pki/store.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { inHostFolder } from '../../../../src/step/kubernetes/binary/certificates.ts';
import { downloadKubeconfig } from '../../../../src/step/kubernetes/kubeconfig.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, no, ok } from '../../../fake/fake-host.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-admin-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = () => mkdtempSync(join(root, String(folders++)));

const ADMIN_CONF = '/etc/kubernetes/admin.conf';
const VALIDITY = { days: 30, renewDays: 1, usages: ['client'] as const };
const issue = async (folder: string, name = 'admin') => {
  const certificates = [
    { ...VALIDITY, name, commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] },
  ];
  await ensurePki(folder, { ca: { name: 'ca', commonName: 'kubernetes', days: 30 }, certificates });
  const [ca, own] = [await readPair(folder, 'ca'), await readPair(folder, name)];
  return { ca: ca.certificate!, certificate: own.certificate!, key: own.key!.reveal() };
};

type Issued = Awaited<ReturnType<typeof issue>>;
let ours: Issued;
let others: Issued;
let cluster: Cluster;
let binary: Cluster;
beforeAll(async () => {
  [ours, others] = await Promise.all([issue(newFolder()), issue(newFolder())]);
  cluster = await loadCluster('test/fixtures/kubeadm.yaml');
  binary = await loadCluster('test/fixtures/kubeadm.yaml', { overrides: ['kubernetes.type=kubexm'] });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const adminConf = ({ ca, certificate, key }: Issued, extra: { cluster?: object; user?: object } = {}) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'kubernetes',
      cluster: { 'certificate-authority-data': base64(ca), server: 'https://lb.kubexm.local:6443', ...extra.cluster },
    },
  ],
  contexts: [{ name: 'admin@kubernetes', context: { cluster: 'kubernetes', user: 'admin' } }],
  'current-context': 'admin@kubernetes',
  users: [
    {
      name: 'admin',
      user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key), ...extra.user },
    },
  ],
});

/** Runs the step against a first master that has this file. */
async function fetch(text: string | undefined, { folder = newFolder(), of = cluster } = {}) {
  const first = hostsOf(of).withRole('master')[0]!;
  const path = join(folder, 'kubeconfig');
  const host = fakeHost(first.name);
  host.answer(new RegExp(ADMIN_CONF), () => (text === undefined ? no() : ok(text)));
  const ctx = fakeContext(first, host);
  const [part] = downloadKubeconfig(of, { path, folder, first }).parts(ctx);
  await part!.run(ctx);
  return { path, found: await part!.precheck(ctx) };
}

const reasonOf = (text: string, options?: Parameters<typeof fetch>[1]) =>
  fetch(text, options).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('a kubeconfig from a host', () => {
  it('gives this machine its certificates and key, and the address of the cluster file', async () => {
    const { path, found } = await fetch(stringify(adminConf(ours)));
    expect(found).toEqual({ done: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const config = parse(readFileSync(path, 'utf8'));
    expect(config.clusters).toEqual([
      { name: cluster.name, cluster: { 'certificate-authority-data': base64(ours.ca), server: expect.any(String) } },
    ]);
    expect(config.clusters[0].cluster.server).not.toContain('lb.kubexm.local');
    expect(config.users[0].user).toEqual({
      'client-certificate-data': base64(ours.certificate),
      'client-key-data': base64(ours.key),
    });
  });

  const exec = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', 'id'] } };
  it.each<[string, { cluster?: object; user?: object }, string]>([
    ['a command that kubectl would run', { user: exec }, 'exec'],
    ['an authentication provider', { user: { 'auth-provider': { name: 'x' } } }, 'auth-provider'],
    ['a token file of this machine', { user: { tokenFile: '/root/.ssh/id_ed25519' } }, 'tokenFile'],
    ['a key file of this machine', { user: { 'client-key': '/root/.ssh/id_ed25519' } }, 'client-key'],
    ['a proxy', { cluster: { 'proxy-url': 'http://192.0.2.1' } }, 'proxy-url'],
    ['disabled verification', { cluster: { 'insecure-skip-tls-verify': true } }, 'insecure-skip-tls-verify'],
    ['another server name', { cluster: { 'tls-server-name': 'evil' } }, 'tls-server-name'],
  ])('is refused with %s', async (_, extra, field) => {
    const folder = newFolder();
    const text = stringify(adminConf(ours, extra));
    expect(await reasonOf(text, { folder })).toContain(`it has fields that kubexm does not write: ${field}`);
    expect(() => statSync(join(folder, 'kubeconfig'))).toThrow('ENOENT');
  });

  it('is refused if it is no kubeconfig, or has several users or clusters', async () => {
    const config = adminConf(ours);
    const counts = 'it must have exactly one cluster and one user';
    expect(await reasonOf('{')).toContain('it is not YAML');
    expect(await reasonOf('[]')).toContain(counts);
    expect(await reasonOf(stringify({ ...config, users: [...config.users, ...config.users] }))).toContain(counts);
    expect(await reasonOf(stringify({ ...config, clusters: [] }))).toContain(counts);
  });

  it('is refused unless its data is a certificate of its CA, with the key', async () => {
    const reason = (change: Partial<Issued>) => reasonOf(stringify(adminConf({ ...ours, ...change })));
    expect(await reason({ ca: 'CA' })).toContain('its CA is not a PEM certificate');
    expect(await reason({ ca: `${ours.ca}# anything else\n` })).toContain('its CA is not a PEM certificate');
    expect(await reason({ certificate: 'x' })).toContain('its client certificate is not a PEM certificate');
    expect(await reason({ certificate: ours.certificate + ours.ca })).toContain('its client certificate is not a PEM');
    expect(await reason({ key: 'x' })).toContain('its client key is not a PEM private key');
    expect(await reason({ key: others.key })).toContain('its client key does not match its client certificate');
    expect(await reason({ ca: others.ca })).toContain('its client certificate was not issued by its CA');
  });

  it('is refused with another CA than the one of an earlier run', async () => {
    const folder = newFolder();
    await fetch(stringify(adminConf(ours)), { folder });
    const before = readFileSync(join(folder, 'kubeconfig'), 'utf8');
    expect(await reasonOf(stringify(adminConf(others)), { folder })).toContain('not the CA of this cluster');
    expect(await reasonOf(stringify(adminConf({ ...ours, ca: ours.ca + others.ca })), { folder })).toContain(
      'not the CA of this cluster',
    );
    expect(readFileSync(join(folder, 'kubeconfig'), 'utf8')).toBe(before);
  });

  it('is not read in binary mode, where this machine issued the credentials', async () => {
    const folder = newFolder();
    const first = hostsOf(binary).withRole('master')[0]!;
    const own = await issue(kubernetesCertificates(folder), inHostFolder(first.name, 'admin'));
    const evil = stringify(adminConf(others, { user: exec }));
    const { path } = await fetch(evil, { folder, of: binary });
    expect(parse(readFileSync(path, 'utf8')).users[0].user['client-key-data']).toBe(base64(own.key));
  });

  it('is checked against the local CA in binary mode if the local credentials are lost', async () => {
    const folder = newFolder();
    const { ca } = await issue(kubernetesCertificates(folder));
    expect(await reasonOf(stringify(adminConf(others)), { folder, of: binary })).toContain('not the CA of this');
    writeFileSync(join(kubernetesCertificates(folder), 'ca.crt'), ours.ca);
    expect(ca).not.toBe(ours.ca);
    expect(await reasonOf(stringify(adminConf(ours)), { folder, of: binary })).toBe('accepted');
  });
});
