import { expect } from 'vitest';
import type { Kubectl } from '../../lab/support/verify-cluster.ts';

/**
 * Verifies traffic between Pods on the same node and on different nodes, through a Service and a node port, and that a
 * NetworkPolicy blocks and releases it.
 */
export async function testNetworkPolicy(kubectl: Kubectl): Promise<void> {
  const nodes = ['node1', 'node2'];
  const pods = [server, ...nodes.map((node) => client(node))];
  await apply(kubectl, [...pods, SERVICE]);
  await kubectl('wait pod -l test=policy --for=condition=Ready --timeout=300s');
  const server1 = await kubectl("get pod server -o 'jsonpath={.status.podIP}'");
  const port = await kubectl("get service server -o 'jsonpath={.spec.ports[0].nodePort}'");
  const path = '{range .items[*]}{.status.addresses[?(@.type=="InternalIP")].address}{"\\n"}{end}';
  const addresses = (await kubectl(`get nodes -o 'jsonpath=${path}'`)).split('\n').filter(Boolean);
  const urls = [`${server1}:8080`, 'server:8080', ...addresses.map((address) => `${address}:${port}`)];
  for (const node of nodes) for (const url of urls) await expectResponse(kubectl, node, url, 'server');
  await apply(kubectl, [POLICY]);
  for (const node of nodes) await expectResponse(kubectl, node, `${server1}:8080`, 'blocked');
  await kubectl('label pod client-node1 access=granted');
  await expectResponse(kubectl, 'node1', `${server1}:8080`, 'server');
  await expectResponse(kubectl, 'node2', `${server1}:8080`, 'blocked');
  await kubectl('delete networkpolicy server');
  for (const node of nodes) await expectResponse(kubectl, node, `${server1}:8080`, 'server');
  await kubectl('delete service/server pod/server pod/client-node1 pod/client-node2 --wait=true --timeout=120s');
}

const expectResponse = (kubectl: Kubectl, node: string, url: string, wanted: string) =>
  expect
    .poll(
      () => kubectl(`exec client-${node} -- sh -c 'timeout 5 wget -qO- http://${url} 2>/dev/null || echo blocked'`),
      {
        message: `client on ${node} to ${url}`,
        timeout: 180_000,
        interval: 1000,
      },
    )
    .toBe(wanted);

const apply = (kubectl: Kubectl, items: readonly object[]) =>
  kubectl(`apply -f - <<'END'\n${JSON.stringify({ apiVersion: 'v1', kind: 'List', items })}\nEND`);

const pod = (name: string, node: string, script: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { test: 'policy', app: name } },
  spec: {
    nodeName: node,
    terminationGracePeriodSeconds: 1,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'it', image: 'docker.io/library/busybox:1.37.0', command: ['sh', '-c', script] }],
  },
});

const client = (node: string) => pod(`client-${node}`, node, 'exec sleep 3600');
const server = pod('server', 'node2', 'mkdir /www; printf server >/www/index.html; exec httpd -f -p 8080 -h /www');

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'server' },
  spec: { type: 'NodePort', selector: { app: 'server' }, ports: [{ port: 8080 }] },
};

const POLICY = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'server' },
  spec: {
    podSelector: { matchLabels: { app: 'server' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { access: 'granted' } } }] }],
  },
};
