import { describe, expect, it } from 'vitest';
import { nameHosts } from '../../../../src/config/edit/host-names.ts';

const hosts = (...names: readonly string[]) => names.map((name, index) => ({ name, address: `10.0.0.${index + 51}` }));

describe('new hosts are named like the others', () => {
  it.each([
    [
      ['node1', 'node2', 'node3'],
      ['node4', 'node5'],
    ],
    [
      ['node1', 'node12', 'node3'],
      ['node13', 'node14'],
    ],
    [
      ['w01', 'w02'],
      ['w03', 'w04'],
    ],
    [
      ['w098', 'w099'],
      ['w100', 'w101'],
    ],
    [
      ['k8s-1.example.com', 'k8s-2.example.com'],
      ['k8s-3.example.com', 'k8s-4.example.com'],
    ],
    [
      ['10-rack-a', '10-rack-b'],
      ['node-10-0-0-14', 'node-10-0-0-20'],
    ],
    [
      ['alpha', 'beta'],
      ['node-10-0-0-14', 'node-10-0-0-20'],
    ],
    [
      ['ip-10-0-0-51', 'ip-10-0-0-52'],
      ['ip-10-0-0-14', 'ip-10-0-0-20'],
    ],
    [
      ['host51', 'host52'],
      ['host14', 'host20'],
    ],
    [
      ['host51', 'host7'],
      ['host52', 'host53'],
    ],
  ])('%j: %j', (names, expected) =>
    expect(nameHosts(['10.0.0.14', '10.0.0.20'], hosts(...names), [])).toEqual(expected),
  );

  it('that have the same role', () => {
    const [masters, workers] = [hosts('master1', 'master2'), hosts('worker1')];
    expect(nameHosts(['10.0.0.14'], [...workers, ...masters], workers)).toEqual(['worker2']);
    expect(nameHosts(['10.0.0.14'], [...workers, ...masters], masters)).toEqual(['master3']);
  });

  it('by IPv6 address or DNS name', () => {
    expect(nameHosts(['2001:DB8::', 'db7.example.com', 'a.example.com'], hosts('a', 'b'), [])).toEqual([
      'node-2001-db8-0',
      'db7',
      'a-2',
    ]);
  });
});
