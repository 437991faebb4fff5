import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { labDown } from '../../src/lab/down.ts';
import { scriptOn } from '../../src/lab/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, clusterOn } from '../lab/cluster-mirror.ts';
import { hostState } from '../lab/host-state.ts';
import { outsideEtcd } from '../lab/outside-etcd.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, useCluster, type Kubectl } from '../lab/use-cluster.ts';

const named = await labNames();

type Blocks = Readonly<Record<string, object>>;

/** One way to make a cluster. */
interface Cell {
  readonly title: string;
  readonly name: string;
  readonly machines: number;
  readonly version?: string;
  readonly spec?: (lab: Lab) => Blocks | Promise<Blocks>;
  /** What this one can do beside what all can. */
  readonly use?: (kubectl: Kubectl) => Promise<void>;
}

const roles = (groups: Readonly<Record<string, readonly string[]>>) => ({ roleGroups: groups });
const THREE = ['node1', 'node2', 'node3'];
const FIVE = { etcd: THREE, master: THREE, worker: ['node4', 'node5'] };
const free = ({ machines }: Lab, last: number) => machines[0]!.address.replace(/\d+$/, `${last}`);
const balanced = (type: string) => (lab: Lab) => ({
  ...roles({ ...FIVE, worker: ['node4'], loadbalancer: ['node5', 'node6'] }),
  controlPlaneEndpoint: { externalLoadBalancer: type, lb_address: free(lab, 200) },
});

const SERVICES = '10.96.0.0/16,fd00:96::/112';

const CELLS: readonly Cell[] = [
  { title: 'one master, which is the only node', name: 'one', machines: 1 },
  {
    title: 'one master, etcd of kubeadm, 1.34',
    name: 'm134',
    machines: 2,
    version: '1.34.4',
    spec: () => ({ etcd: { type: 'kubeadm' } }),
  },
  { title: 'one master, etcd of its own, 1.35', name: 'm135', machines: 2, version: '1.35.4' },
  {
    title: 'three masters behind an internal haproxy, etcd of its own',
    name: 'haproxy',
    machines: 5,
    spec: () => ({ ...roles(FIVE), controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } }),
  },
  {
    title: 'three masters behind an internal nginx, etcd of kubeadm',
    name: 'nginx',
    machines: 5,
    spec: () => ({
      ...roles(FIVE),
      controlPlaneEndpoint: { internalLoadbalancer: 'nginx' },
      etcd: { type: 'kubeadm' },
    }),
  },
  { title: 'three masters behind keepalived and haproxy', name: 'kh', machines: 6, spec: balanced('kubexm-kh') },
  { title: 'three masters behind keepalived and nginx', name: 'kn', machines: 6, spec: balanced('kubexm-kn') },
  {
    title: 'one master with an etcd that somebody else runs',
    name: 'outside',
    machines: 3,
    spec: async (lab) => ({
      hosts: (await hostsOf(lab)).slice(0, 2),
      roleGroups: { master: ['node1'], worker: ['node2'] },
      etcd: await outsideEtcd(lab, lab.machines[2]!),
    }),
  },
  {
    title: 'one master, pods and services with addresses of both kinds',
    name: 'dual',
    machines: 2,
    async spec(lab) {
      const six = (at: number) => `fd77::1${at}`;
      for (const [at, machine] of lab.machines.entries())
        await scriptOn(machine, `ip -6 addr add ${six(at)}/64 dev eth0 nodad`);
      const hosts = (await hostsOf(lab)).map((host: object, at: number) => ({
        ...host,
        internalAddress: `${lab.machines[at]!.address},${six(at)}`,
      }));
      const network = { plugin: 'flannel', kubePodsCIDR: '10.244.0.0/16,fd00:10::/108', kubeServiceCIDR: SERVICES };
      return { hosts, network };
    },
    use: talkBySix,
  },
];

const hostsOf = async ({ paths }: Lab) => parse(await readFile(paths.cluster, 'utf8')).spec.hosts;

const NEWER_PERL = 'apt-get -qq update && apt-get -qq -y install --only-upgrade perl-base >/dev/null 2>&1';

/** KUBEXM_CELLS=haproxy,kh tries some alone. */
const asked = process.env['KUBEXM_CELLS']?.split(',');
const chosen = CELLS.filter(({ name }) => asked === undefined || asked.includes(name));

describe.each(chosen)('$title', ({ name, machines, version = '1.36.3', spec, use }) => {
  const lab = named(name);
  afterEach(() => labDown(lab));

  it('is created, of use, found so again, and gone without a trace', async () => {
    const made = await labUp({ name: lab, machines });
    const mirror = await clusterMirror(made, version, 'haproxy', 'nginx');
    try {
      const file = await clusterOn(made, mirror, { version, ...(spec && { spec: await spec(made) }) });
      const env = { KUBEXM_HOME: process.env['KUBEXM_HOME']! };
      const call = (...args: readonly string[]) => kubexm([...args, '-f', file, '--workdir', made.paths.folder], env);
      const states = () => Promise.all(made.machines.map(hostState));
      // haproxy's packages bring a newer one along, which does not go back.
      await Promise.all(made.machines.slice(4).map((machine) => scriptOn(machine, NEWER_PERL)));
      const before = await states();
      const start = performance.now();
      const created = await call('create', 'cluster', '--skip-preflight');
      expect(created.exit, created.stderr).toBe(0);
      console.log(`${name}: created in ${((performance.now() - start) / 1000).toFixed(0)} s`);
      await useCluster(kubectlOn(() => made));
      await use?.(kubectlOn(() => made));
      expect((await call('create', 'cluster', '--skip-preflight')).stderr).toContain('Nothing to do');
      const deleted = await call('delete', 'cluster', '--yes');
      expect(deleted.exit, deleted.stderr).toBe(0);
      expect(await states()).toEqual(before);
    } finally {
      await mirror.close();
    }
  }, 3_600_000);
});

/** A pod of each node reaches the other's by its second address, and by a service of that kind. */
async function talkBySix(kubectl: Kubectl): Promise<void> {
  const pod = (node: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `six-${node}`, labels: { app: 'six', node } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'six',
          image: 'docker.io/library/busybox:1.37.0',
          command: ['sh', '-c', `mkdir /www; echo ${node} >/www/index.html; exec httpd -f -p 8080 -h /www`],
        },
      ],
    },
  });
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'six' },
    spec: { ipFamilies: ['IPv6'], selector: { node: 'node2' }, ports: [{ port: 8080 }] },
  };
  const list = { apiVersion: 'v1', kind: 'List', items: [pod('node1'), pod('node2'), service] };
  await kubectl(`apply -f - <<'END'\n${JSON.stringify(list)}\nEND`);
  await kubectl('wait pod -l app=six --for=condition=Ready --timeout=300s');
  const second = await kubectl("get pod six-node2 -o 'jsonpath={.status.podIPs[1].ip}'");
  const virtual = await kubectl("get service six -o 'jsonpath={.spec.clusterIP}'");
  for (const address of [second, virtual])
    await expect
      .poll(() => kubectl(`exec six-node1 -- wget -qO- 'http://[${address}]:8080' || true`), { timeout: 120_000 })
      .toBe('node2');
  await kubectl('delete service/six pod/six-node1 pod/six-node2 --wait=true --timeout=120s');
}
