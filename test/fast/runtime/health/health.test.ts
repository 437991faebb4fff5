import pc from 'picocolors';
import { expect, it, vi, beforeEach, afterEach } from 'vitest';
import { healthText } from '../../../../src/cli/format/health-text.ts';
import { isHealthy, evaluateHealth } from '../../../../src/runtime/health/evaluate.ts';
import { parseApiServer } from '../../../../src/runtime/probe/api-server.ts';
import { dnsProbe, parseDns } from '../../../../src/runtime/probe/dns.ts';
import { parseExec, podsToTry } from '../../../../src/runtime/probe/exec.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { kubernetesUnits } from '../../../../src/runtime/probe/services.ts';
import { probeCluster } from '../../../../src/runtime/probe/probe-cluster.ts';
import { no, ok } from '../../../fake/fake-host.ts';
import {
  MEMBERS,
  NOW,
  fixture,
  refused,
  recordedCluster,
  type Overrides,
  type RecordedCluster,
} from '../recorded-cluster.ts';

const PLAIN = pc.createColors(false);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

const evaluate = async ({ session, cluster }: RecordedCluster) =>
  evaluateHealth({
    ...(await probeCluster(session, new AbortController().signal)),
    cluster,
    clusterFlag: '-c prod',
    removedHosts: [],
  });
const statuses = async (recorded: RecordedCluster) =>
  Object.fromEntries((await evaluate(recorded)).map(({ check, status }) => [check, status]));

/** The recorded cluster with its problems fixed; `answers` take precedence. */
const healthyCluster = (answers: NonNullable<Overrides['answers']> = []): Promise<RecordedCluster> => {
  const nodes = JSON.parse(fixture('nodes'));
  for (const item of nodes.items) {
    delete item.spec.unschedulable;
    for (const condition of item.status.conditions) if (condition.type === 'Ready') condition.status = 'True';
  }
  nodes.items[3].metadata.name = 'node4';
  const pods = JSON.parse(fixture('pods-kube-system'));
  pods.items = pods.items.filter(
    ({ metadata }: { metadata: { name: string } }) => !metadata.name.startsWith('kube-proxy'),
  );
  return recordedCluster({
    answers: [
      ...answers,
      [/get nodes -o json/, ok(JSON.stringify(nodes))],
      [/--namespace kube-system get pods/, ok(JSON.stringify(pods))],
    ],
  });
};

it('reports the finding of each check and the next command', async () => {
  const recorded = await recordedCluster({ dead: ['node3'] });
  await expect(`${healthText(await evaluate(recorded), PLAIN)}\n`).toMatchFileSnapshot(
    '../../../golden/cluster/health.txt',
  );
});

it('reports nodes on which kubectl exec fails', async () => {
  const stderr =
    'Defaulted container "kube-proxy" out of: kube-proxy\nerror: Internal error occurred: http: server gave HTTP response to HTTPS client\n';
  const results = await evaluate(await healthyCluster([[/ exec \S+ -- true/, no(stderr)]]));
  const { status, findings } = results.find(({ check }) => check === 'exec')!;
  expect(status).toBe('failed');
  expect(findings[0]!.found).toBe(
    'kubectl exec: error: Internal error occurred: http: server gave HTTP response to HTTPS client',
  );
});

it.each([
  ['the program is missing in the image', 'OCI runtime exec failed: exec: "true": executable file not found in $PATH'],
  ['a policy forbids it', 'Error from server (Forbidden): pods "a" is forbidden'],
])('kubectl exec works if %s', (_, stderr) => expect(parseExec(no(stderr))).toMatchObject({ ok: true }));

it('tries kubectl exec on one ready Pod of at most ten nodes', () => {
  const pod = (name: string, node: string, ready = true) => ({ ...POD, name, node, ready });
  const nodes = Array.from({ length: 30 }, (_, at) => `node${at + 10}`);
  expect(podsToTry(nodes.flatMap((node) => [pod(`a-${node}`, node), pod(`b-${node}`, node)]))).toHaveLength(10);
  expect(podsToTry([pod('coredns-1', 'n1'), pod('kube-proxy-1', 'n1'), pod('etcd-n1', 'n1')])).toMatchObject([
    { name: 'kube-proxy-1' },
  ]);
  expect(podsToTry([pod('coredns-1', 'n1', false), pod('coredns-2', '')])).toEqual([]);
});

const POD = { namespace: 'kube-system', name: '', node: '', ready: true, state: 'Running', restarts: 0, images: [] };

it('asks the node-local DNS server if Pods use it', async () => {
  const servers = async (...overrides: readonly string[]) =>
    dnsProbe(await loadCluster('test/fixtures/kubeadm.yaml', { overrides })).display;
  expect(await servers('kubernetes.nodelocaldns=true')).toBe('query 169.254.25.10 for the kubernetes Service');
  expect(await servers('kubernetes.nodelocaldns=false')).toBe('query 10.233.0.10 for the kubernetes Service');
});

it('reports a healthy cluster', async () => {
  const results = await evaluate(await healthyCluster());
  expect(results.map(({ check, status }) => `${check} ${status}`)).toEqual(
    [
      'hosts',
      'time',
      'etcd',
      'services',
      'api',
      'endpoint',
      'nodes',
      'pods',
      'exec',
      'dns',
      'certificates',
      'disk',
    ].map((name) => `${name} ok`),
  );
  expect(isHealthy(results)).toBe(true);
});

it('reports services that are not running, with a command to diagnose them', async () => {
  const recorded = await healthyCluster([
    [/^systemctl is-active kubelet\.service$/, { ...no(), stdout: 'activating\n' }, 'node4'],
  ]);
  const services = (await evaluate(recorded)).find(({ check }) => check === 'services');
  expect(services).toMatchObject({ status: 'failed', found: '3 of 4 Kubernetes services running' });
  expect(services?.findings).toEqual([
    {
      host: 'node4',
      severity: 'failed',
      found: 'kubelet.service is activating',
      next: "kubexm run command -c prod --nodes node4 -- 'systemctl status kubelet.service; journalctl -u kubelet.service -n 30'",
    },
  ]);
});

it('expects a service for every Kubernetes component in binary mode', async () => {
  const cluster = await loadCluster('examples/binary.yaml');
  const [master, worker] = ['node1', 'node4'].map((name) => cluster.hosts.find((host) => host.name === name)!);
  const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
  expect(kubernetesUnits(cluster, master!)).toEqual(['kubelet', ...components].map((name) => `${name}.service`));
  expect(kubernetesUnits(cluster, worker!)).toEqual(['kubelet.service', 'kube-proxy.service']);
});

it('probes each host in two round trips, and one master in two more', async () => {
  const recorded = await healthyCluster();
  await evaluate(recorded);
  expect(recorded.cluster.hosts.map(({ name }) => recorded.fake(name).roundTrips)).toEqual([4, 2, 2, 2]);
});

it('reports nodes and pods as unknown if no API server responds', async () => {
  expect(await statuses(await healthyCluster([[/readyz/, refused]]))).toMatchObject({
    hosts: 'ok',
    api: 'failed',
    nodes: 'unknown',
    pods: 'unknown',
    dns: 'ok',
  });
});

it('names the failed readiness checks of an API server', async () => {
  const body = String.raw`Error from server (InternalError): an error on the server ("[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed") has prevented the request from succeeding`;
  const api = (await evaluate(await healthyCluster([[/readyz/, no(body), 'node2']]))).find(
    ({ check }) => check === 'api',
  );
  expect(api).toMatchObject({ status: 'failed', found: '2 of 3 API servers are ready' });
  expect(api?.findings).toMatchObject([{ host: 'node2', found: 'not ready: etcd' }]);
});

it('queries the next master if the first does not respond', async () => {
  expect(await statuses(await healthyCluster([[/get nodes/, refused, 'node1']]))).toMatchObject({
    api: 'ok',
    nodes: 'ok',
  });
});

it('reports lost etcd quorum', async () => {
  const recorded = await recordedCluster({ dead: ['node1', 'node3'] });
  const etcd = (await evaluate(recorded)).find(({ check }) => check === 'etcd');
  expect(etcd?.found).toBe('1 of 3 members are healthy: no quorum');
});

const DEAD_MEMBER = 'aa11223344556677, started, old-master, https://10.0.0.9:2380, https://10.0.0.9:2379, false\n';

it.each([
  [
    'a member without a host',
    `${MEMBERS}${DEAD_MEMBER}`,
    '3 of 4 members are healthy',
    'member old-master (aa11223344556677) has no host in the cluster file and does not respond',
    'kubexm delete nodes -c prod --nodes old-master',
  ],
  [
    'a learner that never started',
    `${MEMBERS}aa11223344556677, unstarted, , https://10.0.0.9:2380, , true\n`,
    '3 of 4 members are healthy',
    'member 10.0.0.9:2380 (aa11223344556677) has no host in the cluster file and does not respond',
    'kubexm delete nodes -c prod --nodes aa11223344556677',
  ],
  [
    'a host without a member',
    MEMBERS.replace(/.*node3.*\n/, ''),
    'all 2 members are healthy, leader node2',
    'is not an etcd member',
    'kubexm add nodes -c prod',
  ],
  [
    'a learner that was not promoted',
    MEMBERS.replace(/(node3.*)false/, '$1true'),
    'all 3 members are healthy, leader node2',
    'is a learner that was not promoted',
    'kubexm add nodes -c prod',
  ],
])('reports %s', async (_, members, summary, found, next) => {
  const results = await evaluate(await healthyCluster([[/member list/, ok(members)]]));
  const etcd = results.find(({ check }) => check === 'etcd')!;
  expect(etcd.found).toBe(summary);
  expect(etcd.findings).toMatchObject([{ found, next }]);
});

it('does not judge the members if no member lists them', async () => {
  expect(await statuses(await healthyCluster([[/member list/, no('context deadline exceeded')]]))).toMatchObject({
    etcd: 'ok',
  });
});

it('warns about a host that was removed without a reset', async () => {
  const { session, cluster } = await healthyCluster();
  const probe = await probeCluster(session, new AbortController().signal);
  const [hosts] = evaluateHealth({ ...probe, cluster, clusterFlag: '-c prod', removedHosts: ['node5'] });
  expect(hosts).toMatchObject({ check: 'hosts', status: 'warning' });
  expect(hosts?.findings).toMatchObject([{ host: 'node5', next: 'kubexm delete nodes -c prod --cleanup node5' }]);
});

it('reports nodes that are not in the cluster file, and hosts that are not nodes', async () => {
  const nodes = (await evaluate(await recordedCluster())).find(({ check }) => check === 'nodes')!;
  expect(nodes.findings).toContainEqual({
    host: 'old-worker',
    severity: 'warning',
    found: 'not in the cluster file',
    next: 'kubexm delete nodes -c prod --nodes old-worker',
  });
  expect(nodes.findings).toContainEqual({
    host: 'node4',
    severity: 'failed',
    found: 'has not joined the cluster',
    next: 'kubexm add nodes -c prod',
  });
});

it.each([
  ['clock skew', { clockSkewMs: 9000 }, 'time', 'failed'],
  [
    'a disk that is almost full',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 3, inodes: 9, freeInodes: 9 }] },
    'disk',
    'failed',
  ],
  [
    'a disk that is filling up',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 12, inodes: 9, freeInodes: 9 }] },
    'disk',
    'warning',
  ],
  [
    'a disk that is out of inodes',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 90, inodes: 100, freeInodes: 1 }] },
    'disk',
    'failed',
  ],
])('reports %s', async (_, facts, check, status) => {
  expect(await statuses(await recordedCluster({ facts: { node2: facts } }))).toMatchObject({ [check]: status });
});

it.each([
  [NOW.getTime() + 3645 * 86_400_000, 'failed'],
  [NOW.getTime() + 3500 * 86_400_000, 'warning'],
  [NOW.getTime() + 3651 * 86_400_000, 'failed'],
])('reports certificates that expire soon, checked at %i', async (now, status) => {
  const recorded = await recordedCluster();
  vi.setSystemTime(now);
  expect(await statuses(recorded)).toMatchObject({ certificates: status });
});

it.each([
  ['no server', '', 'bash: connect: Connection refused', 1, 'Connection refused'],
  ['a server that does not respond', '', '', 124, 'no response within 5 s'],
  ['SERVFAIL', '4b 58 81 82 00 01 00 00 00 00 00 00', '', 0, 'the DNS server returned SERVFAIL'],
  [
    'no address',
    '4b 58 81 80 00 01 00 00 00 00 00 00',
    '',
    0,
    'the DNS server returned no address for the kubernetes Service',
  ],
])('reports a DNS failure: %s', (_, stdout, stderr, exit, detail) => {
  expect(parseDns({ stdout, stderr, exit })).toEqual({ ok: false, detail });
});

it('reports the error message of an API server that refuses the connection', () => {
  expect(parseApiServer(refused)).toEqual({ ok: false, detail: expect.stringContaining('was refused') });
});
