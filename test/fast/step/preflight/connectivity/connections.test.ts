import { describe, expect, it } from 'vitest';
import type { ClusterHost } from '../../../../../src/config/model/cluster.ts';
import { fakeContext } from '../../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../../fake/fake-host.ts';
import { ATTEMPTS, REPORTS } from '../../../../../src/step/preflight/cache-keys.ts';
import { callPeers, callScript, parseAttempts } from '../../../../../src/step/preflight/connectivity/call-peers.ts';
import type { Connection } from '../../../../../src/step/preflight/connectivity/attempt.ts';
import { connectionsAmong } from '../../../../../src/step/preflight/connectivity/connections.ts';
import { clusterWith, inputWith } from '../check-input.ts';

const cluster = clusterWith();
const [master, worker] = cluster.hosts;

/** Masters with etcd, and workers. */
const hostsOf = (masters: number, workers: number): readonly ClusterHost[] =>
  Array.from({ length: masters + workers }, (_, index) =>
    index < masters ? { ...master!, name: `m${index}` } : { ...worker!, name: `w${index}` },
  );

describe('connectionsAmong', () => {
  it.each([
    [1, 0],
    [1, 2],
    [3, 7],
    [3, 97],
    [5, 495],
  ])('tests a few connections per host with %i masters and %i workers', (masters, workers) => {
    const hosts = hostsOf(masters, workers);
    const connections = connectionsAmong(cluster, hosts);
    expect(connections.length).toBeLessThanOrEqual(4 * hosts.length + masters * masters);
    if (hosts.length > 1)
      for (const { name } of hosts) {
        expect(connections.some(({ from }) => from.name === name)).toBe(true);
        expect(connections.some(({ to }) => to.name === name)).toBe(true);
      }
  });
  it('connects to every kubelet, from every node to an API server, and from every master to every etcd member', () => {
    expect(connectionsAmong(cluster, cluster.hosts).map(format)).toEqual([
      'node1 > node2 udp 8472',
      'node2 > node3 udp 8472',
      'node3 > node1 udp 8472',
      'node1 > node2 tcp 10250',
      'node1 > node3 tcp 10250',
      'node2 > node1 tcp 6443',
      'node3 > node1 tcp 6443',
    ]);
    const members = connectionsAmong(cluster, hostsOf(3, 0)).filter(({ port }) => port === 2379 || port === 2380);
    expect(members.map(format).filter((line) => line.startsWith('m0 '))).toEqual([
      'm0 > m1 tcp 2379',
      'm0 > m2 tcp 2379',
      'm0 > m1 tcp 2380',
      'm0 > m2 tcp 2380',
    ]);
  });
  it('leaves out hosts that were not probed', () => {
    expect(connectionsAmong(cluster, cluster.hosts.slice(1)).map(format)).toEqual([
      'node2 > node3 udp 8472',
      'node3 > node2 udp 8472',
    ]);
  });
});

const format = ({ from, to, protocol, port }: Connection) => `${from.name} > ${to.name} ${protocol} ${port}`;

describe('call script', () => {
  const { reports } = inputWith();
  const byName = new Map(reports.map((report) => [report.host.name, report]));
  const connections = connectionsAmong(cluster, cluster.hosts);
  const own = byName.get('node1')!;
  const read = (text: string, from = byName) =>
    parseAttempts(text, connections, from, own).map(
      ({ to, port, outcome, detail }) => `${to.name} ${port} ${outcome} ${detail}`,
    );

  it('reports the outcome of each call', () => {
    expect(
      read(
        '0 124 \n1 0 kubexm node2 \n2 1 bash: connect: Connection refused bash: line 1: /dev/tcp: Connection refused \n',
      ),
    ).toEqual([
      'node2 8472 timed-out no response within 8 s',
      'node2 10250 reached kubexm node2',
      'node3 10250 failed Connection refused',
    ]);
    expect(read('1 0 kubexm other\n')).toEqual(['node2 10250 another-host kubexm other']);
  });
  it('accepts any answer from a component that already listens', () => {
    const running = new Map(byName).set('node2', {
      ...byName.get('node2')!,
      probe: {
        ...own.probe,
        ports: [{ protocol: 'tcp', port: 10_250, state: 'taken', reason: '', holder: undefined }],
      },
    });
    expect(read('1 0 \n', running)).toEqual(['node2 10250 reached ']);
    const { text } = callScript(connections, running, own);
    expect(text).toContain("call 1 tcp 192.168.10.12 10250 '' &");
    expect(text).not.toContain('call 0 udp');
  });
  it('tells the listener how many calls to expect', () => {
    expect(callScript(connections, byName, own).text).toContain(' 10250 3\n');
    const alone = new Map(byName);
    alone.delete('node3');
    const fewer = connectionsAmong(cluster, cluster.hosts.slice(0, 2));
    expect(callScript(fewer, alone, own).text).toContain(' 10250 2\n');
  });
});

it('the listener of a cluster with one host is ended, because etcd needs its ports', async () => {
  const { cluster, reports } = inputWith();
  const [own] = reports;
  const fake = fakeHost(own!.host.name);
  fake.answer(/end %s.* 10250 0$/m, () => ok());
  const only = { ...cluster, hosts: [own!.host] };
  const ctx = fakeContext({ name: own!.host.name, address: '10.0.0.1', roles: own!.host.roles }, fake);
  ctx.cache.set(REPORTS, new Map([[own!.host.name, own!]]));
  const [part] = callPeers(only).parts(ctx);
  await part!.precheck(ctx);
  expect(fake.roundTrips, 'it is told to expect no calls').toBe(1);
  expect(ctx.cache.get(ATTEMPTS)?.get(own!.host.name)).toEqual([]);
});
