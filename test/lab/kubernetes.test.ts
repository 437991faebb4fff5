import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from './support/cluster-mirror.ts';
import { kubectlOn, verifyCluster } from './support/verify-cluster.ts';
import { hostState } from './support/host-state.ts';
import { labNames, sshText } from './support.ts';

const named = await labNames();
const name = named('kube');
const VERSION = '1.36.3';

describe('a kubeadm cluster with one master and one worker', await needsClusterMirror(VERSION), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let file: string;
  let before: readonly (readonly string[])[];
  const states = () => Promise.all(lab.machines.map(hostState));
  const kubectl = kubectlOn(() => lab);
  const call = (...args: readonly string[]) =>
    kubexm([...args, '-f', file, '--workdir', lab.paths.folder], {
      KUBEXM_HOME: process.env['KUBEXM_HOME']!,
      KUBECONFIG: userConfig(),
    });
  const userConfig = () => join(lab.paths.folder, 'user-kubeconfig');
  const folder = () => join(lab.paths.folder, '.kubexm', name);
  const create = (...args: readonly string[]) => call('create', 'cluster', ...args);

  beforeAll(async () => {
    lab = await labUp({ name, machines: 2 });
    mirror = await clusterMirror(lab, VERSION);
    file = await mirroredClusterFile(lab, mirror, { version: VERSION });
    before = await states();
  });
  afterAll(() => mirror.close());

  it('is created with ready nodes', async () => {
    const { exit, stderr } = await create('--merge-kubeconfig');
    expect(exit, stderr).toBe(0);
    const path = '{range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}';
    expect(await kubectl(`get nodes -o 'jsonpath=${path}'`)).toBe('node1 True\nnode2 True');
  });

  it('runs pods with networking, DNS, services, logs and exec', () => verifyCluster(kubectl));

  it('is shown by health, get nodes and describe, and its state is published', async () => {
    const health = await call('health', 'cluster', '--wait', '3m', '-o', 'json');
    expect(health.exit, health.stdout).toBe(0);
    const nodes = JSON.parse((await call('get', 'nodes', '-o', 'json')).stdout);
    expect(nodes.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual(
      lab.machines.map((machine) => `${machine.name} Ready`),
    );
    const described = await call('describe', 'cluster');
    expect(described.stdout).toMatch(/Status: +Ready[\s\S]+Control Plane:\n {2}- node1 \([\d.]+\) {2}\[Ready\]/);
    expect(described.stdout).toMatch(/Last Operation:\n {2}Type: +create cluster\n {2}Status: +Success/);
    expect(parse(await readFile(userConfig(), 'utf8'))['current-context']).toBe(name);
    const kept = JSON.parse(await readFile(join(folder(), 'state.json'), 'utf8'));
    const published = await kubectl("-n kube-system get secret kubexm-state -o 'jsonpath={.data.state\\.json}'");
    expect(JSON.parse(Buffer.from(published, 'base64').toString())).toEqual(kept);
    expect(Object.keys(kept.files.node1)).toContain('/etc/kubernetes/manifests/kube-apiserver.yaml');
  });

  it('leaves no bootstrap token', async () => {
    expect(await kubectl('-n kube-system get secrets -o name')).not.toContain('bootstrap-token');
  });

  it('is unchanged by a second run', async () => {
    const { exit, stderr } = await create();
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain('Nothing to do');
  });

  it('is deleted, and the machines are restored to their original state', async () => {
    const { exit, stderr } = await call('delete', 'cluster', '--yes');
    expect(exit, stderr).toBe(0);
    expect(await readdir(folder())).not.toEqual(expect.arrayContaining(['state.json']));
    expect(await readdir(folder())).not.toEqual(expect.arrayContaining(['kubeconfig']));
    expect(parse(await readFile(userConfig(), 'utf8')).contexts).toEqual([]);
    expect(await states()).toEqual(before);
    const left =
      'find /var/lib/kubexm /var/lib/kubelet /var/lib/etcd /var/lib/cni /var/log/pods /run/flannel -mindepth 1 2>/dev/null; true';
    for (const { name: machine } of lab.machines) expect(await sshText(lab, machine, left)).toBe('');
  });
});
