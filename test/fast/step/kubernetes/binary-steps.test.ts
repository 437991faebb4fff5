import { createPublicKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LOCAL, type Host } from '../../../../src/common/host.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { makeKey } from '../../../../src/pki/key.ts';
import { ensurePki } from '../../../../src/pki/store.ts';
import { applyCoreDns, applyCoreDnsConfig } from '../../../../src/step/addon/coredns.ts';
import { makeKubeconfigs } from '../../../../src/step/kubernetes/binary/kubeconfigs.ts';
import { createRbacBindings } from '../../../../src/step/kubernetes/binary/rbac.ts';
import { joinNode } from '../../../../src/step/kubernetes/binary/join.ts';
import { serviceAccountKey } from '../../../../src/step/kubernetes/binary/service-account-key.ts';
import { setNodeLabelsAndTaints } from '../../../../src/step/kubernetes/node-labels-taints.ts';
import { stopKubeadm, stopServices } from '../../../../src/step/kubernetes/stop-node.ts';
import { APPLIED } from '../../../../src/step/kubernetes-object/manifest.ts';
import type { StepContext } from '../../../../src/step/contract/part.ts';
import type { Step } from '../../../../src/step/contract/step.ts';
import { fakeHost, no, ok, type FakeHost } from '../../../fake/fake-host.ts';
import { fakeContext, hostsOf } from '../../../fake/fake-context.ts';
import { fakeRunner } from '../../../fake/fake-runner.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { deepMerge } from '../../../../src/template/deep-merge.ts';
import { SERVICE_ACCOUNT } from '../../../../src/template/kubernetes/paths.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-binary-'));
afterAll(() => rmSync(root, { recursive: true }));

const master = (name: string): Host => ({ name, address: '10.0.0.1', roles: ['master'] });
const [one, two] = [master('node1'), master('node2')];
let fakes: ReadonlyMap<string, FakeHost>;
let folder: string;
let folders = 0;
beforeEach(() => {
  fakes = new Map([LOCAL, one, two].map(({ name }) => [name, fakeHost(name)]));
  folder = join(root, String(folders++));
});
const fake = (name: string) => fakes.get(name)!;

const contextOn = (host: Host, unreachable: readonly string[] = []): StepContext =>
  fakeContext(host, fake(host.name), {
    hosts: hostsOf([one, two]),
    on: ({ name }) => {
      if (unreachable.includes(name)) throw new Error(`${name} is unreachable`);
      return fakeRunner(fake(name));
    },
  });

const partsOf = (step: Step, host: Host) => step.parts(contextOn(host));

describe('the service account key', () => {
  const privateKey = () => readFileSync(join(folder, 'sa.key'), 'utf8');

  it('is generated once', async () => {
    const step = serviceAccountKey(folder);
    const ctx = contextOn(LOCAL);
    expect((await step.precheck(ctx)).done).toBe(false);
    await step.run(ctx);
    const first = privateKey();
    expect((await step.precheck(ctx)).done).toBe(true);
    await step.run(ctx);
    expect(privateKey()).toBe(first);
  });

  it('is copied from a reachable master that has one', async () => {
    const key = (await makeKey('rsa')).reveal();
    fake('node2').files.set(SERVICE_ACCOUNT.privateKey, key);
    await serviceAccountKey(folder).run(contextOn(LOCAL, ['node1']));
    expect(privateKey()).toBe(key);
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    expect(readFileSync(join(folder, 'sa.pub'), 'utf8')).toBe(publicKey);
  });

  it('is neither copied nor generated if a master has a corrupt one', async () => {
    fake('node1').files.set(SERVICE_ACCOUNT.privateKey, 'half of a k');
    await expect(serviceAccountKey(folder).run(contextOn(LOCAL))).rejects.toMatchObject({ code: 'PKI_UNUSABLE' });
    expect(() => privateKey()).toThrow('ENOENT');
  });

  it('is not considered missing if the local file is unreadable', async () => {
    mkdirSync(join(folder, 'sa.key'), { recursive: true });
    const step = serviceAccountKey(folder);
    await expect(step.precheck(contextOn(LOCAL))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(step.run(contextOn(LOCAL))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

describe('rollback of a join', () => {
  it('removes Pods, mounts, interfaces and rules, and keeps the configuration', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const [joined] = partsOf(joinNode({ cluster, first: one, folder }), two);
    for (const name of ['node1', 'node2']) fake(name).answer(/./, () => ok());
    await joined!.rollback!(contextOn(two), { whole: false });
    const [leave = '', cleanUp = ''] = fake('node2').changes;
    expect(leave).toContain('systemctl stop kubelet.service');
    for (const action of ['crictl rmp -f', 'umount -- ', 'ip link delete', '-restore"', '! -name config.yaml'])
      expect(cleanUp).toContain(action);
    expect(cleanUp).not.toContain('/etc/kubernetes');
  });

  it('does not touch a host that was a node before', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const [joined] = partsOf(joinNode({ cluster, first: one, folder }), two);
    await joined!.rollback!(contextOn(two), { whole: true });
    expect(fake('node2').changes).toEqual([]);
  });
});

it('kubeadm clusters also stop services of binary mode, and no unit is left in failed state', async () => {
  const cluster = await loadCluster('examples/binary.yaml');
  expect(stopKubeadm(cluster, one, false).text).toContain('/etc/systemd/system/kube-apiserver.service');
  expect(stopServices(cluster, one, false).text).toMatch(
    /reset-failed kubelet\.service kube-apiserver\.service kube-controller-manager\.service kube-scheduler\.service kube-proxy\.service/,
  );
});

it('RBAC bindings are not done while super-admin.conf exists', async () => {
  const [bound] = partsOf(createRbacBindings(await loadCluster('examples/binary.yaml'), folder), one);
  let exists = true;
  fake('node1').answer(/get clusterrolebinding/, () => ok());
  fake('node1').answer(/^\[ ! -e \/etc\/kubernetes\/super-admin\.conf \]$/, () => (exists ? no() : ok()));
  expect(await bound!.precheck(contextOn(one))).toMatchObject({
    done: false,
    because: '/etc/kubernetes/super-admin.conf still exists',
  });
  exists = false;
  expect((await bound!.precheck(contextOn(one))).done).toBe(true);
});

describe('super-admin credentials', () => {
  it('are issued for the RBAC binding, removed from the host, and never stored here', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const certificates = join(folder, 'certs', 'kubernetes');
    await ensurePki(certificates, { ca: { name: 'ca', commonName: 'kubernetes', days: 30 }, certificates: [] });
    const [bound] = partsOf(createRbacBindings(cluster, folder), one);
    let used = '';
    const path = '/etc/kubernetes/super-admin.conf';
    fake('node1').answer(/kubeconfig \/etc\/kubernetes\/super-admin.conf .*apply/, () => {
      used = fake('node1').files.get(path) ?? '';
      return ok();
    });
    fake('node1').answer(/^rm -f -- (\S+)$/, ([, removed = '']) => (fake('node1').files.delete(removed), ok()));
    await bound!.run(contextOn(one));
    const data = parse(used).users[0].user['client-certificate-data'];
    const certificate = new X509Certificate(Buffer.from(data, 'base64'));
    expect(certificate.subject).toBe('O=system:masters\nCN=kubernetes-super-admin');
    expect(Date.parse(certificate.validTo)).toBeLessThan(Date.now() + 90_000_000);
    expect(fake('node1').files.has(path)).toBe(false);
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('super-admin'))).toEqual([]);
  });

  it('of earlier versions are removed from this machine', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const own = join(folder, 'certs', 'kubernetes', cluster.firstMaster);
    mkdirSync(own, { recursive: true });
    for (const type of ['conf', 'crt', 'key']) writeFileSync(join(own, `super-admin.${type}`), 'x');
    const part = makeKubeconfigs(cluster, folder)
      .parts(contextOn(LOCAL))
      .find(({ key }) => key.endsWith('super-admin.conf'))!;
    expect(await part.precheck(contextOn(LOCAL))).toMatchObject({ done: false });
    await part.run(contextOn(LOCAL));
    expect(readdirSync(own)).toEqual([]);
    expect(await part.precheck(contextOn(LOCAL))).toMatchObject({ done: true });
  });
});

it('masters are excluded from external load balancers, as with kubeadm', async () => {
  const [labels] = partsOf(setNodeLabelsAndTaints(await loadCluster('examples/binary.yaml'), one), one);
  fake('node1').answer(/get node node1 -o json/, () => ok('{}'));
  expect(await labels!.precheck(contextOn(one))).toMatchObject({
    because: expect.stringContaining('node.kubernetes.io/exclude-from-external-load-balancers='),
  });
});

describe('a Corefile that was edited manually', () => {
  it('is restored without marking CoreDNS as changed', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const { images } = fakeAssets(cluster);
    const [installed] = partsOf(applyCoreDns(cluster, images), one);
    const [written] = partsOf(applyCoreDnsConfig(cluster), one);
    const objects = apiOf(fake('node1'));
    const ctx = contextOn(one);
    await installed!.run(ctx);
    expect([(await installed!.precheck(ctx)).done, (await written!.precheck(ctx)).done]).toEqual([true, true]);
    const before = structuredClone(objects.get('configmap'));
    objects.get('configmap').data = { Corefile: '.:53 { errors }' };
    expect((await written!.precheck(ctx)).done).toBe(false);
    await written!.run(ctx);
    expect(objects.get('configmap')).toEqual(before);
    expect([(await installed!.precheck(ctx)).done, (await written!.precheck(ctx)).done]).toEqual([true, true]);
  });
});

const OWNS_EVERYTHING = JSON.stringify([{ manager: 'kubexm', fieldsV1: {} }]);

type StoredObject = ReturnType<typeof JSON.parse>;

/** A fake API server that stores objects named coredns, by kind. */
function apiOf(host: FakeHost): Map<string, StoredObject> {
  const objects = new Map<string, StoredObject>();
  const rows = () =>
    [...objects.values()].map(({ kind, metadata: { name, namespace = '<none>', annotations } }) =>
      [kind, namespace, name, annotations[APPLIED], OWNS_EVERYTHING].join('\t'),
    );
  host.answer(/ apply --server-side/, (_, stdin) => {
    for (const object of stdin.split('\n---\n').map((text) => JSON.parse(text)))
      objects.set(object.kind.toLowerCase(), object);
    return ok();
  });
  host.answer(/ get -f - /, () => ok(rows().join('\n')));
  host.answer(/ get (\w+) coredns -o json/, ([, kind = '']) => ok(JSON.stringify(objects.get(kind))));
  host.answer(/ patch (\w+) coredns /, ([, kind = ''], stdin) => {
    objects.set(kind, deepMerge(objects.get(kind), JSON.parse(stdin)));
    return ok();
  });
  return objects;
}
