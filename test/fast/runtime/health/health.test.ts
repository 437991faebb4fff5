import pc from 'picocolors';
import { expect, it, vi, beforeEach, afterEach } from 'vitest';
import { healthText } from '../../../../src/cli/format/health-text.ts';
import { isHealthy, judgeHealth } from '../../../../src/runtime/health/evaluate.ts';
import { readApiAnswer } from '../../../../src/runtime/probe/api-server.ts';
import { readDnsAnswer } from '../../../../src/runtime/probe/dns.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { unitsOn } from '../../../../src/runtime/probe/services.ts';
import { lookAtCluster } from '../../../../src/runtime/probe/probe-cluster.ts';
import { no, ok } from '../../../fake/fake-host.ts';
import { NOW, recorded, refused, running, type Otherwise, type Running } from '../running.ts';

const PLAIN = pc.createColors(false);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

const judged = async ({ session, cluster }: Running) =>
  judgeHealth({ ...(await lookAtCluster(session, new AbortController().signal)), cluster, named: '-c prod' });
const statuses = async (run: Running) =>
  Object.fromEntries((await judged(run)).map(({ check, status }) => [check, status]));

/** As recorded, but for what was wrong with it; `answers` come first. */
const well = (answers: NonNullable<Otherwise['answers']> = []): Promise<Running> => {
  const nodes = JSON.parse(recorded('nodes'));
  for (const item of nodes.items) {
    delete item.spec.unschedulable;
    for (const condition of item.status.conditions) if (condition.type === 'Ready') condition.status = 'True';
  }
  nodes.items[3].metadata.name = 'node4';
  const pods = JSON.parse(recorded('pods-kube-system'));
  pods.items = pods.items.filter(
    ({ metadata }: { metadata: { name: string } }) => !metadata.name.startsWith('kube-proxy'),
  );
  return running({
    answers: [
      ...answers,
      [/get nodes -o json/, ok(JSON.stringify(nodes))],
      [/--namespace kube-system get pods/, ok(JSON.stringify(pods))],
    ],
  });
};

it('says of each check what was found, and what to do next', async () => {
  const run = await running({ dead: ['node3'] });
  await expect(`${healthText(await judged(run), PLAIN)}\n`).toMatchFileSnapshot('../../../golden/cluster/health.txt');
});

it('is well when everything is', async () => {
  const results = await judged(await well());
  expect(results.map(({ check, status }) => `${check} ${status}`)).toEqual(
    ['hosts', 'time', 'etcd', 'services', 'api', 'endpoint', 'nodes', 'pods', 'dns', 'certificates', 'disk'].map(
      (name) => `${name} ok`,
    ),
  );
  expect(isHealthy(results)).toBe(true);
});

it('names services that do not run, and how to see why', async () => {
  const run = await well([[/^systemctl is-active kubelet\.service$/, { ...no(), stdout: 'activating\n' }, 'node4']]);
  const services = (await judged(run)).find(({ check }) => check === 'services');
  expect(services).toMatchObject({ status: 'failed', found: '3 of 4 services of Kubernetes run' });
  expect(services?.findings).toEqual([
    {
      host: 'node4',
      severity: 'failed',
      found: 'kubelet.service is activating',
      next: "kubexm run command -c prod --nodes node4 -- 'systemctl status kubelet.service; journalctl -u kubelet.service -n 30'",
    },
  ]);
});

it('of a cluster from binaries, every part of Kubernetes is such a service', async () => {
  const cluster = await loadCluster('examples/binary.yaml');
  const [master, worker] = ['node1', 'node4'].map((name) => cluster.hosts.find((host) => host.name === name)!);
  const parts = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
  expect(unitsOn(cluster, master!)).toEqual(['kubelet', ...parts].map((name) => `${name}.service`));
  expect(unitsOn(cluster, worker!)).toEqual(['kubelet.service', 'kube-proxy.service']);
});

it('looks at each host in two round trips, and asks one master once more', async () => {
  const run = await well();
  await judged(run);
  expect(run.cluster.hosts.map(({ name }) => run.fake(name).roundTrips)).toEqual([3, 2, 2, 2]);
});

it('tells by what a dead API server leaves unknown', async () => {
  expect(await statuses(await well([[/readyz/, refused]]))).toMatchObject({
    hosts: 'ok',
    api: 'failed',
    nodes: 'unknown',
    pods: 'unknown',
    dns: 'ok',
  });
});

it('names the part of an API server that is not ready', async () => {
  const body = String.raw`Error from server (InternalError): an error on the server ("[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed") has prevented the request from succeeding`;
  const api = (await judged(await well([[/readyz/, no(body), 'node2']]))).find(({ check }) => check === 'api');
  expect(api).toMatchObject({ status: 'failed', found: '2 of 3 API servers are ready' });
  expect(api?.findings).toMatchObject([{ host: 'node2', found: 'not ready: etcd' }]);
});

it('asks the next master when the first does not answer', async () => {
  expect(await statuses(await well([[/get nodes/, refused, 'node1']]))).toMatchObject({ api: 'ok', nodes: 'ok' });
});

it('knows when most members of etcd are away', async () => {
  const run = await running({ dead: ['node1', 'node3'] });
  const etcd = (await judged(run)).find(({ check }) => check === 'etcd');
  expect(etcd?.found).toBe('1 of 3 members are healthy: no majority');
});

it.each([
  ['a clock that is wrong', { clockSkewMs: 9000 }, 'time', 'failed'],
  [
    'a disk that is all but full',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 3, inodes: 9, freeInodes: 9 }] },
    'disk',
    'failed',
  ],
  [
    'a disk that fills up',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 12, inodes: 9, freeInodes: 9 }] },
    'disk',
    'warning',
  ],
  [
    'a disk without inodes',
    { mounts: [{ path: '/', type: 'ext4', options: [], sizeBytes: 100, freeBytes: 90, inodes: 100, freeInodes: 1 }] },
    'disk',
    'failed',
  ],
])('finds %s', async (_, facts, check, status) => {
  expect(await statuses(await running({ facts: { node2: facts } }))).toMatchObject({ [check]: status });
});

it.each([
  [NOW.getTime() + 3645 * 86_400_000, 'failed'],
  [NOW.getTime() + 3500 * 86_400_000, 'warning'],
  [NOW.getTime() + 3651 * 86_400_000, 'failed'],
])('finds certificates that end soon, seen at %i', async (now, status) => {
  const run = await running();
  vi.setSystemTime(now);
  expect(await statuses(run)).toMatchObject({ certificates: status });
});

it.each([
  ['no server', '', 'bash: connect: Connection refused', 1, 'Connection refused'],
  ['a server that is silent', '', '', 124, 'no answer within 5 s'],
  ['SERVFAIL', '4b 58 81 82 00 01 00 00 00 00 00 00', '', 0, 'it answers SERVFAIL'],
  ['no address', '4b 58 81 80 00 01 00 00 00 00 00 00', '', 0, 'it knows no address of the API'],
])('tells DNS with %s', (_, stdout, stderr, exit, said) => {
  expect(readDnsAnswer({ stdout, stderr, exit })).toEqual({ ok: false, said });
});

it('tells a server that refuses by its own words', () => {
  expect(readApiAnswer(refused)).toEqual({ ok: false, said: expect.stringContaining('was refused') });
});
