import { createPublicKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL, type Host } from '../../../../src/common/host.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { makeKey } from '../../../../src/pki/key.ts';
import { applyCoreDns, applyCoreDnsConfig } from '../../../../src/step/addon/coredns.ts';
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

const contextOn = (host: Host, unreached: readonly string[] = []): StepContext =>
  fakeContext(host, fake(host.name), {
    hosts: hostsOf([one, two]),
    on: ({ name }) => {
      if (unreached.includes(name)) throw new Error(`${name} was not reached`);
      return fakeRunner(fake(name));
    },
  });

const partsOf = (step: Step, host: Host) => step.parts(contextOn(host));

describe('the key of service accounts', () => {
  const kept = () => readFileSync(join(folder, 'sa.key'), 'utf8');

  it('is made once', async () => {
    const step = serviceAccountKey(folder);
    const ctx = contextOn(LOCAL);
    expect((await step.precheck(ctx)).done).toBe(false);
    await step.run(ctx);
    const first = kept();
    expect((await step.precheck(ctx)).done).toBe(true);
    await step.run(ctx);
    expect(kept()).toBe(first);
  });

  it('is taken from a master that has one, whichever was reached', async () => {
    const key = (await makeKey('rsa')).reveal();
    fake('node2').files.set(SERVICE_ACCOUNT.privateKey, key);
    await serviceAccountKey(folder).run(contextOn(LOCAL, ['node1']));
    expect(kept()).toBe(key);
    const told = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    expect(readFileSync(join(folder, 'sa.pub'), 'utf8')).toBe(told);
  });

  it('of a master that cannot be read is not taken, and none is made over it', async () => {
    fake('node1').files.set(SERVICE_ACCOUNT.privateKey, 'half of a k');
    await expect(serviceAccountKey(folder).run(contextOn(LOCAL))).rejects.toMatchObject({ code: 'PKI_UNUSABLE' });
    expect(() => kept()).toThrow('ENOENT');
  });

  it('that is here and cannot be read is not taken for missing', async () => {
    mkdirSync(join(folder, 'sa.key'), { recursive: true });
    const step = serviceAccountKey(folder);
    await expect(step.precheck(contextOn(LOCAL))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(step.run(contextOn(LOCAL))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

describe('a node that did not come to be one', () => {
  it('is left without pods, mounts, links and rules, with the settings that were written before', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const [joined] = partsOf(joinNode({ cluster, first: one, folder }), two);
    for (const name of ['node1', 'node2']) fake(name).answer(/./, () => ok());
    await joined!.rollback!(contextOn(two), { whole: false });
    const [leave = '', clear = ''] = fake('node2').changes;
    expect(leave).toContain('systemctl stop kubelet.service');
    for (const act of ['crictl rmp -f', 'umount -- ', 'ip link delete', '-restore"', '! -name config.yaml'])
      expect(clear).toContain(act);
    expect(clear).not.toContain('/etc/kubernetes');
  });

  it('but once was one is not touched', async () => {
    const cluster = await loadCluster('examples/binary.yaml');
    const [joined] = partsOf(joinNode({ cluster, first: one, folder }), two);
    await joined!.rollback!(contextOn(two), { whole: true });
    expect(fake('node2').changes).toEqual([]);
  });
});

it('services of ours are stopped by kubeadm clusters, too, and no unit is left as failed', async () => {
  const cluster = await loadCluster('examples/binary.yaml');
  expect(stopKubeadm(cluster, one, false).text).toContain('/etc/systemd/system/kube-apiserver.service');
  expect(stopServices(cluster, one, false).text).toMatch(
    /reset-failed kubelet\.service kube-apiserver\.service kube-controller-manager\.service kube-scheduler\.service kube-proxy\.service/,
  );
});

it('the way in that no rule holds for is gone, or access is not granted yet', async () => {
  const [bound] = partsOf(createRbacBindings(await loadCluster('examples/binary.yaml'), folder), one);
  let there = true;
  fake('node1').answer(/get clusterrolebinding/, () => ok());
  fake('node1').answer(/^\[ ! -e \/etc\/kubernetes\/super-admin\.conf \]$/, () => (there ? no() : ok()));
  expect(await bound!.precheck(contextOn(one))).toMatchObject({
    done: false,
    because: '/etc/kubernetes/super-admin.conf is still there',
  });
  there = false;
  expect((await bound!.precheck(contextOn(one))).done).toBe(true);
});

it('a master is no target of load balancers outside, as with kubeadm', async () => {
  const [settled] = partsOf(setNodeLabelsAndTaints(await loadCluster('examples/binary.yaml'), one), one);
  fake('node1').answer(/get node node1 -o json/, () => ok('{}'));
  expect(await settled!.precheck(contextOn(one))).toMatchObject({
    because: expect.stringContaining('node.kubernetes.io/exclude-from-external-load-balancers='),
  });
});

describe('CoreDNS that somebody changed by hand', () => {
  it('is as the file says again, and still the one that was installed', async () => {
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

type Kept = ReturnType<typeof JSON.parse>;

/** Objects called coredns by their kind, as an API server would keep them. */
function apiOf(host: FakeHost): Map<string, Kept> {
  const objects = new Map<string, Kept>();
  const rows = () =>
    [...objects.values()].map(({ kind, metadata: { name, namespace = '<none>', annotations } }) =>
      [kind, namespace, name, annotations[APPLIED]].join(' '),
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
