import { expect } from 'vitest';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labNames } from '../lab/support.ts';
import type { Kubectl } from '../lab/support/verify-cluster.ts';
import { balanced, calico, FIVE, hostsOf, external, roles, testCells, type Cell } from './support/matrix.ts';

const SERVICES = '10.96.0.0/16,fd00:96::/112';

const CELLS: readonly Cell[] = [
  { title: 'one master as the only node', name: 'one', machines: 1 },
  {
    title: 'one master, kubeadm etcd, 1.34',
    name: 'm134',
    machines: 2,
    version: '1.34.4',
    spec: () => ({ etcd: { type: 'kubeadm' } }),
  },
  { title: 'one master, etcd managed by kubexm, 1.35', name: 'm135', machines: 2, version: '1.35.4' },
  {
    title: 'three masters behind an internal haproxy, etcd managed by kubexm',
    name: 'haproxy',
    machines: 5,
    spec: () => ({ ...roles(FIVE), controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } }),
  },
  {
    title: 'three masters behind an internal nginx, kubeadm etcd',
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
    title: 'one master with external etcd and an external load balancer',
    name: 'outside',
    machines: 3,
    spec: external,
  },
  {
    title: 'one master, dual stack',
    name: 'dual',
    machines: 2,
    async spec(lab) {
      const ipv6 = (at: number) => `fd77::1${at}`;
      for (const [at, machine] of lab.machines.entries())
        await scriptOn(machine, `ip -6 addr add ${ipv6(at)}/64 dev eth0 nodad; ip -6 route add default via fd77::1`);
      const hosts = (await hostsOf(lab)).map((host: object, at: number) => ({
        ...host,
        internalAddress: `${lab.machines[at]!.address},${ipv6(at)}`,
      }));
      const network = { plugin: 'flannel', kubePodsCIDR: '10.244.0.0/16,fd00:10::/108', kubeServiceCIDR: SERVICES };
      return { hosts, network };
    },
    use: testIPv6,
  },
  { title: 'one master and one worker with Calico', name: 'calico', ...calico },
];

testCells(await labNames(), CELLS);

/** Checks that a pod reaches a pod on another node by its IPv6 address and through an IPv6 Service. */
async function testIPv6(kubectl: Kubectl): Promise<void> {
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
  const podAddress = await kubectl("get pod six-node2 -o 'jsonpath={.status.podIPs[1].ip}'");
  const clusterIP = await kubectl("get service six -o 'jsonpath={.spec.clusterIP}'");
  for (const address of [podAddress, clusterIP])
    await expect
      .poll(() => kubectl(`exec six-node1 -- wget -qO- 'http://[${address}]:8080' || true`), { timeout: 120_000 })
      .toBe('node2');
  await kubectl('delete service/six pod/six-node1 pod/six-node2 --wait=true --timeout=120s');
}
