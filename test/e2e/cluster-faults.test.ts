import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { faults } from '../../src/lab/fault/faults.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';

const named = await labNames();
const name = named('spoilt');
const VERSION = '1.36.3';
const SPEC = (patches: string) => ({
  etcd: { type: 'kubeadm' },
  kubernetes: { audit: true, encryptionAtRest: true, patches },
});

describe('create cluster under faults', { timeout: 1_800_000 }, () => {
  let lab: Lab;
  let machine: Machine;
  let mirror: MirrorServer;
  let file: string;
  let before: readonly string[];
  const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
  const create = (...args: readonly string[]) => call('create', 'cluster', '--skip-preflight', ...args);

  beforeAll(async () => {
    lab = await labUp({ name, machines: 1 });
    machine = lab.machines[0]!;
    mirror = await clusterMirror(lab, VERSION);
    const patches = join(lab.paths.folder, 'patches');
    await mkdir(patches);
    await writeFile(join(patches, 'kube-scheduler+merge.yaml'), 'metadata: { labels: { patched: indeed } }\n');
    file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: SPEC(patches) });
    before = await hostState(machine);
  });
  afterAll(() => mirror.close());

  const createChanged = async (change: (spec: Readonly<Record<string, Record<string, object>>>) => void) => {
    const original = await readFile(file, 'utf8');
    const cluster = parse(original);
    change(cluster.spec);
    await writeFile(file, stringify(cluster), { mode: 0o600 });
    const result = await create();
    await writeFile(file, original, { mode: 0o600 });
    return result;
  };

  it('reports a missing image before changing anything', async () => {
    const { exit, stderr } = await createChanged((spec) => {
      Object.assign(spec['artifacts']!['overrides']!, { coredns: { version: '9.9.9' } });
    });
    expect(exit).not.toBe(0);
    expect(stderr).toContain('coredns:v9.9.9');
    expect(await hostState(machine)).toEqual(before);
  });

  it('reports a port in use and resets the node', async () => {
    await scriptOn(machine, 'systemd-run -q --unit squatter socat TCP-LISTEN:6443,fork,reuseaddr SYSTEM:true');
    const { exit, stderr } = await create();
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/kubeadm\.init failed on node1[\s\S]*Port 6443 is in use/);
    expect(stderr).toMatch(/Resume +kubexm create cluster .*--resume/);
    expect(await scriptOn(machine, 'ls /etc/kubernetes/manifests 2>/dev/null | wc -l')).toBe('0\n');
    await scriptOn(machine, 'systemctl stop squatter; systemctl reset-failed squatter 2>&1 || true');
  });

  it('reports a full disk and resumes once there is space', async () => {
    await faults.fullDisk.apply(machine, { directory: '/etc/kubernetes' });
    const { exit, stderr } = await create();
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/no space left on device/i);
    await faults.fullDisk.clear(machine);
    const resumed = await create('--resume');
    expect(resumed.exit, resumed.stderr).toBe(0);
    await verifyCluster(kubectlOn(() => lab));
  });

  it('applies kubeadm patches', async () => {
    const pods = await kubectlOn(() => lab)('-n kube-system get pods -l patched=indeed -o name');
    expect(pods).toBe('pod/kube-scheduler-node1');
  });

  it('rejects unsupported changes to the cluster file before changing anything', async () => {
    const { exit, stderr } = await createChanged((spec) => {
      Object.assign(spec['kubernetes']!, { maxPods: 50, apiserver: { extraArgs: { profiling: 'false' } } });
    });
    expect(exit).toBe(13);
    expect(stderr).toContain('CHANGE_UNSUPPORTED');
    expect(stderr).toContain('kubernetes.maxPods, kubernetes.apiserver');
    expect(stderr).toMatch(/\b0 changed/);
  });

  it('encrypts secrets and writes an audit log', async () => {
    const kubectl = kubectlOn(() => lab);
    await kubectl('create secret generic canary --from-literal=word=geheim');
    const etcdctl =
      'etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key';
    const stored = await kubectl(`-n kube-system exec etcd-node1 -- ${etcdctl} get /registry/secrets/default/canary`);
    expect(stored).toContain('k8s:enc:secretbox:v1:key1:');
    expect(stored).not.toContain('geheim');
    const log = await scriptOn(machine, 'grep canary /var/log/kubernetes/audit/audit.log');
    expect(log).toContain('"verb":"create"');
    expect(log).not.toContain('geheim');
  });

  it('does not recreate an unhealthy control plane', async () => {
    const caKeys = () => scriptOn(machine, 'sha256sum /etc/kubernetes/pki/ca.key /etc/kubernetes/pki/etcd/ca.key');
    const original = await caKeys();
    await scriptOn(
      machine,
      'mv /etc/kubernetes/manifests/kube-apiserver.yaml /root/; crictl ps -q --name kube-apiserver',
    );
    await expect.poll(() => scriptOn(machine, 'crictl ps -q --name kube-apiserver'), { timeout: 120_000 }).toBe('');
    const { exit, stderr } = await create();
    expect(exit).not.toBe(0);
    expect(stderr).toContain('CONTROL_PLANE_UNHEALTHY');
    expect(await caKeys()).toBe(original);
    await scriptOn(machine, 'mv /root/kube-apiserver.yaml /etc/kubernetes/manifests/');
    const again = await create();
    expect(again.exit, again.stderr).toBe(0);
    const deleted = await call('delete', 'cluster', '--yes');
    expect(deleted.exit, deleted.stderr).toBe(0);
    expect(await hostState(machine)).toEqual(before);
  });
});
