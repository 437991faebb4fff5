import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../../src/lab/mirror/serve.ts';
import type { Lab } from '../../../src/lab/up.ts';
import type { Called } from '../../fast/cli/kubexm.ts';
import { mirroredClusterFile } from './cluster-mirror.ts';
import { etcdMembers } from './etcd-members.ts';
import { runKubexm } from './lab-cluster.ts';
import { kubectlOn, type Kubectl } from './verify-cluster.ts';

export const SCALE_VERSION = '1.36.3';

/** Hosts by role, as in a cluster file. */
export type Groups = Readonly<Partial<Record<'etcd' | 'master' | 'worker' | 'loadbalancer', readonly string[]>>>;

/** The cluster to create. */
export interface ScaleOptions {
  readonly type: string;
  readonly groups: Groups;
  readonly spec?: Readonly<Record<string, object>>;
}

/** A cluster on some machines of a lab. The others can join it. */
export interface ScaleCluster {
  readonly lab: Lab;
  readonly file: string;
  /** Runs kubexm with the cluster file. */
  readonly call: (...args: readonly string[]) => Promise<Called>;
  /** Like `call`, but expects success. */
  readonly run: (...args: readonly string[]) => Promise<Called>;
  /** Adds machines with `--nodes`, which also writes them into the cluster file. */
  readonly add: (role: string, ...names: readonly string[]) => Promise<Called>;
  /** Writes these groups and their hosts into the cluster file. */
  readonly write: (groups: Groups) => Promise<void>;
  readonly machine: (name: string) => Machine;
  /** Runs kubectl on the first of these masters. */
  readonly kubectl: (groups: Groups) => Kubectl;
}

/** Writes the cluster file for the groups. */
export async function scaleCluster(lab: Lab, mirror: MirrorServer, options: ScaleOptions): Promise<ScaleCluster> {
  const { type, groups, spec = {} } = options;
  const etcd = type === 'kubeadm' && groups.etcd === undefined ? { etcd: { type: 'kubeadm' } } : {};
  const all = { kubernetes: { type }, ...etcd, ...spec };
  const file = await mirroredClusterFile(lab, mirror, { version: SCALE_VERSION, spec: all });
  const labHosts: readonly LabHost[] = parse(await readFile(lab.paths.cluster, 'utf8')).spec.hosts;
  const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
  const run = async (...args: readonly string[]) => {
    const called = await call(...args);
    expect(called.exit, `kubexm ${args.join(' ')}\n${called.stderr}`).toBe(0);
    return called;
  };
  const machine = (name: string) => lab.machines.find((one) => one.name === name)!;
  const write = async (wanted: Groups) => {
    const cluster = parse(await readFile(file, 'utf8'));
    const used = new Set(Object.values(wanted).flat());
    const hosts = labHosts.filter(({ name }) => used.has(name));
    await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, hosts, roleGroups: wanted } }), {
      mode: 0o600,
    });
  };
  const add = (role: string, ...names: readonly string[]) => {
    const { user, privateKeyPath } = labHosts[0]!;
    const addresses = names.map((name) => machine(name).address);
    const login = ['--ssh-user', user, '-i', privateKeyPath];
    return run('add', 'nodes', '--nodes', addresses.join(), '--names', names.join(), '--role', role, ...login, '--yes');
  };
  await write(groups);
  const kubectl = ({ master = [] }: Groups) => kubectlOn(() => lab, master[0]);
  return { lab, file, call, run, add, write, machine, kubectl };
}

interface LabHost {
  readonly name: string;
  readonly user: string;
  readonly privateKeyPath: string;
}

/** Expects that the cluster consists of exactly these hosts, in the cluster file, in Kubernetes and in etcd, and is healthy. */
export async function expectScaled(cluster: ScaleCluster, groups: Groups): Promise<void> {
  const { file, call, run, kubectl } = cluster;
  const { spec } = parse(await readFile(file, 'utf8'));
  const used = Object.entries(spec.roleGroups).filter(([, names]) => Array.isArray(names) && names.length > 0);
  expect(Object.fromEntries(used)).toEqual(groups);
  expect(spec.hosts.map(({ name }: LabHost) => name).toSorted()).toEqual(distinct(Object.values(groups).flat()));
  const nodes = await kubectl(groups)("get nodes -o 'jsonpath={.items[*].metadata.name}'");
  expect(nodes.split(' ').toSorted()).toEqual(distinct([...(groups.master ?? []), ...(groups.worker ?? [])]));
  if (spec.etcd?.type !== 'external') {
    const members = await etcdMembers(cluster.lab, groups);
    const expected = distinct(groups.etcd ?? groups.master ?? []);
    expect(members.map(({ name, learner }) => `${name}${learner ? ' (learner)' : ''}`).toSorted()).toEqual(expected);
  }
  const health = await call('health', 'cluster', '--wait', '4m');
  expect(health.exit, health.stdout).toBe(0);
  expect((await run('add', 'nodes', '--yes')).stderr).toContain('Nothing to do');
}

const distinct = (names: readonly string[]) => [...new Set(names)].toSorted();
