import { expect } from 'vitest';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labNames } from '../lab/support.ts';
import type { Kubectl } from '../lab/support/verify-cluster.ts';
import { balanced, FIVE, hostsOf, outside, roles, tryCells, type Cell } from './support/matrix.ts';

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
  { title: 'three masters behind keepalived and haproxy', name: 'kh', machines: 7, spec: balanced('kubexm-kh') },
  { title: 'three masters behind keepalived and nginx', name: 'kn', machines: 7, spec: balanced('kubexm-kn') },
  {
    title: 'one master with an etcd and a load balancer that somebody else runs',
    name: 'outside',
    machines: 3,
    spec: outside,
  },
  {
    title: 'one master, pods and services with addresses of both kinds',
    name: 'dual',
    machines: 2,
    async spec(lab) {
      const six = (at: number) => `fd77::1${at}`;
      for (const [at, machine] of lab.machines.entries())
        await scriptOn(machine, `ip -6 addr add ${six(at)}/64 dev eth0 nodad; ip -6 route add default via fd77::1`);
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

tryCells(await labNames(), CELLS);

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
