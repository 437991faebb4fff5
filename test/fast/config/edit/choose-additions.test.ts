import { describe, expect, it } from 'vitest';
import { addHosts } from '../../../../src/config/edit/add-hosts.ts';
import { linesToAdd } from '../../../../src/config/edit/by-hand.ts';
import { chooseAdditions, type AdditionRequest } from '../../../../src/config/edit/choose-additions.ts';
import { referencesTo } from '../../../../src/config/edit/remove-hosts.ts';
import { check } from '../check.ts';
import { file } from './edit.ts';

const HOSTS = `  hosts:
    - { name: node1, address: 10.0.0.1 }
    - { name: node2, address: 10.0.0.2, internalAddress: 192.168.0.2 }
    - { name: gpu01, address: 10.0.0.3, jump: node2 }
`;
const text = file(HOSTS, 'master: [node1]\n    worker: [node2, gpu01]');
const specOf = (content: string) => check(content).file!.spec;
const NONE = { roles: [], names: [], user: undefined, privateKeyPath: undefined } as const;
const choose = (request: Partial<AdditionRequest>, content = text) =>
  chooseAdditions(specOf(content), { nodes: [], ...NONE, ...request });
const problems = (request: Partial<AdditionRequest>, content = text) => {
  const chosen = choose(request, content);
  return chosen.type === 'invalid' ? chosen.problems : [];
};

describe('hosts to add', () => {
  it('are new addresses, ranges of them, and hosts of the cluster file by name or address', () => {
    expect(choose({ nodes: ['10.0.0.[4:5]', 'node1', '192.168.0.2'], roles: ['worker'], user: 'ops' })).toEqual({
      type: 'additions',
      additions: [
        { name: 'gpu02', roles: ['worker'], fields: { address: '10.0.0.4', user: 'ops', privateKeyPath: undefined } },
        { name: 'gpu03', roles: ['worker'], fields: { address: '10.0.0.5', user: 'ops', privateKeyPath: undefined } },
        { name: 'node1', roles: ['worker'], fields: undefined },
        { name: 'node2', roles: ['worker'], fields: undefined },
      ],
    });
    expect(choose({ nodes: ['10.0.0.4'], roles: ['worker'], names: ['db[1:1]'] })).toMatchObject({
      additions: [{ name: 'db1' }],
    });
  });

  it.each<[string, Partial<AdditionRequest>, readonly string[]]>([
    ['no role', { nodes: ['10.0.0.9'] }, ['--role is required for 10.0.0.9']],
    [
      'no address',
      { nodes: ['nod1'], roles: ['worker'] },
      ['"nod1" is neither a host in the cluster file nor an address'],
    ],
    ['twice', { nodes: ['2001:db8::1', '2001:DB8:0::1'], roles: ['worker'] }, ['2001:DB8:0::1 is listed twice']],
    [
      'name in use',
      { nodes: ['10.0.0.9'], roles: ['worker'], names: ['node1'] },
      ['node1 is already the name of 10.0.0.1'],
    ],
    [
      'bad name',
      { nodes: ['10.0.0.9'], roles: ['worker'], names: ['A_1'] },
      ['"A_1" is not a valid host name: use a-z, 0-9, - and dots'],
    ],
    [
      'too many names',
      { nodes: ['10.0.0.9'], roles: ['worker'], names: ['a', 'b'] },
      ['--names has 2 names for 1 new addresses'],
    ],
    [
      'registry',
      { nodes: ['10.0.0.9'], roles: ['registry'] },
      ['the registry role cannot be added; see kubexm create registry --help'],
    ],
    [
      'no load balancer',
      { nodes: ['10.0.0.9'], roles: ['loadbalancer'] },
      [
        'the loadbalancer role requires spec.controlPlaneEndpoint.externalLoadBalancer kubexm-kh or kubexm-kn, but it is ""',
      ],
    ],
  ])('are refused: %s', (_, request, expected) => expect(problems(request)).toEqual(expected));

  it('become etcd hosts only if kubexm manages etcd', () => {
    const withEtcd = (etcd: string) =>
      text.replace('etcd: [node1]', 'etcd: []').replace('  kubernetes:', `  etcd: ${etcd}\n  kubernetes:`);
    const request = { nodes: ['10.0.0.9'], roles: ['etcd'] } as const;
    expect(problems(request)).toEqual([]);
    expect(problems(request, withEtcd('{ type: kubeadm }'))).toEqual([
      'etcd runs on the masters, because spec.etcd.type is kubeadm; use --role master',
    ]);
    expect(problems(request, withEtcd('{ type: external, external: { endpoints: [https://10.0.0.8:2379] } }'))).toEqual(
      ['kubexm does not manage this etcd, because spec.etcd.type is external'],
    );
  });

  it('are listed in the etcd group, too, if it must list the masters', () => {
    const stacked = text.replace('  kubernetes:', '  etcd: { type: kubeadm }\n  kubernetes:');
    const chosen = choose({ nodes: ['10.0.0.9'], roles: ['master'] }, stacked);
    expect(chosen).toMatchObject({ additions: [{ name: 'node3', roles: ['master', 'etcd'] }] });
  });

  it('are printed as lines to add by hand', () => {
    const chosen = choose({ nodes: ['10.0.0.9', 'node2'], roles: ['master', 'etcd'], privateKeyPath: '~/my key' });
    const lines = chosen.type === 'additions' ? linesToAdd(chosen.additions) : '';
    expect(lines).toBe(`spec:
  hosts:
    - { name: node3, address: 10.0.0.9, privateKeyPath: '~/my key' }
  roleGroups:
    master: [node3, node2] # add to the group
    etcd: [node3, node2] # add to the group`);
  });
});

it('a change in an alias of another list is refused', () => {
  const shared = text.replace('etcd: [node1]', 'etcd: &one [node1]').replace('master: [node1]', 'master: *one');
  expect(addHosts(shared, [{ name: 'node2', roles: ['etcd'], fields: undefined }])).toEqual({
    type: 'refused',
    reason: 'spec.roleGroups.master is the same list as another group',
  });
});

it('finds the fields that refer to hosts by name', () => {
  const spec = specOf(
    text.replace('  kubernetes:', '  system: { ntpServers: [node1, ntp.example.com] }\n  kubernetes:'),
  );
  expect(referencesTo(spec, new Set(['node1', 'node2']))).toEqual([
    'node2 is the jump host of gpu01',
    'node1 is the time server of the cluster (spec.system.ntpServers)',
  ]);
  expect(referencesTo(spec, new Set(['node2', 'gpu01']))).toEqual([]);
});
