import { describe, expect, it } from 'vitest';
import type { ClusterHost } from '../../../../../src/config/model/cluster.ts';
import { connectScript, parseAttempts } from '../../../../../src/step/preflight/connect-script.ts';
import { connectionsAmong, type Connection } from '../../../../../src/step/preflight/connectivity/connections.ts';
import { clusterWith, sceneWith } from '../check-input.ts';

const cluster = clusterWith();
const [master, worker] = cluster.hosts;

/** Some masters that are members of etcd, and workers. */
const hostsOf = (masters: number, workers: number): readonly ClusterHost[] =>
  Array.from({ length: masters + workers }, (_, place) =>
    place < masters ? { ...master!, name: `m${place}` } : { ...worker!, name: `w${place}` },
  );

describe('who calls whom', () => {
  it.each([
    [1, 0],
    [1, 2],
    [3, 7],
    [3, 97],
    [5, 495],
  ])('with %i masters and %i workers is a few calls for each host', (masters, workers) => {
    const hosts = hostsOf(masters, workers);
    const connections = connectionsAmong(cluster, hosts);
    expect(connections.length).toBeLessThanOrEqual(4 * hosts.length + masters * masters);
    if (hosts.length > 1)
      for (const { name } of hosts) {
        expect(connections.some(({ from }) => from.name === name)).toBe(true);
        expect(connections.some(({ to }) => to.name === name)).toBe(true);
      }
  });
  it('reaches every kubelet, an API server from every node, every member of etcd from every master', () => {
    const told = connectionsAmong(cluster, cluster.hosts).map(tell);
    expect(told).toEqual([
      'node1 > node2 udp 8472',
      'node2 > node3 udp 8472',
      'node3 > node1 udp 8472',
      'node1 > node2 tcp 10250',
      'node1 > node3 tcp 10250',
      'node2 > node1 tcp 6443',
      'node3 > node1 tcp 6443',
    ]);
    const members = connectionsAmong(cluster, hostsOf(3, 0)).filter(({ port }) => port === 2379 || port === 2380);
    expect(members.map(tell).filter((line) => line.startsWith('m0 '))).toEqual([
      'm0 > m1 tcp 2379',
      'm0 > m2 tcp 2379',
      'm0 > m1 tcp 2380',
      'm0 > m2 tcp 2380',
    ]);
  });
  it('calls nobody who is not there', () => {
    expect(connectionsAmong(cluster, cluster.hosts.slice(1)).map(tell)).toEqual([
      'node2 > node3 udp 8472',
      'node3 > node2 udp 8472',
    ]);
  });
});

const tell = ({ from, to, protocol, port }: Connection) => `${from.name} > ${to.name} ${protocol} ${port}`;

describe('a call', () => {
  const { reports } = sceneWith();
  const byName = new Map(reports.map((report) => [report.host.name, report]));
  const connections = connectionsAmong(cluster, cluster.hosts);
  const own = byName.get('node1')!;
  const read = (text: string, from = byName) =>
    parseAttempts(text, connections, from, own).map(
      ({ to, port, outcome, said }) => `${to.name} ${port} ${outcome} ${said}`,
    );

  it('is told by what came of it', () => {
    expect(
      read(
        '0 124 \n1 0 kubexm node2 \n2 1 bash: connect: Connection refused bash: line 1: /dev/tcp: Connection refused \n',
      ),
    ).toEqual([
      'node2 8472 timed-out no answer in 8 s',
      'node2 10250 reached kubexm node2',
      'node3 10250 failed Connection refused',
    ]);
    expect(read('1 0 kubexm other\n')).toEqual(['node2 10250 another-host kubexm other']);
  });
  it('of what runs there already is well when something answers', () => {
    const running = new Map(byName).set('node2', {
      ...byName.get('node2')!,
      probe: {
        ...own.probe,
        ports: [{ protocol: 'tcp', port: 10_250, state: 'taken', reason: '', holder: undefined }],
      },
    });
    expect(read('1 0 \n', running)).toEqual(['node2 10250 reached ']);
    const { text } = connectScript(connections, running, own);
    expect(text).toContain("call 1 tcp 192.168.10.12 10250 '' &");
    expect(text).not.toContain('call 0 udp');
  });
  it('is waited for by the listener, as often as it will come', () => {
    expect(connectScript(connections, byName, own).text).toContain(' 10250 3\n');
    const alone = new Map(byName);
    alone.delete('node3');
    const fewer = connectionsAmong(cluster, cluster.hosts.slice(0, 2));
    expect(connectScript(fewer, alone, own).text).toContain(' 10250 2\n');
  });
});
