import { describe, expect, it } from 'vitest';
import { addHosts, type Addition } from '../../../../src/config/edit/add-hosts.ts';
import { removeHosts } from '../../../../src/config/edit/remove-hosts.ts';
import { check, fixture, lines } from '../check.ts';
import { file, removed, added, changesOf } from './edit.ts';

const worker = (name: string, address: string): Addition => ({ name, roles: ['worker'], fields: { address } });

describe('a host is added', () => {
  it('in the style and with the login of the last host that has its role', () => {
    const text = file(
      `  hosts:
    - {name: node1, address: 10.0.0.1, user: ubuntu, password: "Qcloud@123"}   # master
    # For password-less login.
    - { name: node2, address: 10.0.0.2, internalAddress: '10.0.0.2', port: 8022, privateKeyPath: "~/.ssh/id", labels: { disk: SSD } }
    # The end.
`,
      'master: [node1]\n    worker: [node2]',
    );
    expect(changesOf(text, added(text, worker('node3', '10.0.0.3')))).toEqual([
      `+    - { name: node3, address: 10.0.0.3, port: 8022, privateKeyPath: "~/.ssh/id" }`,
      `-    worker: [node2]`,
      `+    worker: [node2, node3]`,
    ]);
    expect(changesOf(text, added(text, { ...worker('node3', '10.0.0.3'), roles: ['master'] }))).toEqual([
      `+    - {name: node3, address: 10.0.0.3, user: ubuntu, password: "Qcloud@123"}`,
      `-    master: [node1]`,
      `+    master: [node1, node3]`,
    ]);
  });

  it('to a list of block maps, after the comments of the last one', () => {
    const text = file(
      `  hosts:
  -   address: "10.0.0.1"
      name: 'node1'   # the only one
      jump:
        address: bastion.example.com
        user: ops # not root
      privateKey: |
        -----BEGIN KEY-----
        abc
        -----END KEY-----
      # arch: arm64

  # Add more hosts here.
`,
      'master:\n    - node1\n    worker: # all\n    - node1 # for now',
    );
    expect(changesOf(text, added(text, worker('node2', '10.0.0.2')))).toEqual([
      `+  -   address: "10.0.0.2"`,
      `+      name: 'node2'`,
      `+      jump:`,
      `+        address: bastion.example.com`,
      `+        user: ops`,
      `+      privateKey: |`,
      `+        -----BEGIN KEY-----`,
      `+        abc`,
      `+        -----END KEY-----`,
      `+    - node2`,
    ]);
  });

  it('with an empty line between hosts if the others have one', () => {
    const text = file(
      `  hosts:
    - name: a
      address: 10.0.0.1

    # The second.
    - name: b
      address: 10.0.0.2

`,
      'master: [a]\n    worker: [b]',
    );
    const more = added(text, worker('c', '10.0.0.3'), worker('d', '10.0.0.4'));
    expect(changesOf(text, more)).toEqual([
      '+    - name: c',
      '+      address: 10.0.0.3',
      '+',
      '+    - name: d',
      '+      address: 10.0.0.4',
      '+',
      '-    worker: [b]',
      '+    worker: [b, c, d]',
    ]);
    expect(removed(more, 'c', 'd')).toBe(text);
    expect(removed(removed(more, 'c'), 'd')).toBe(text);
  });

  it('to a multi-line list in braces and brackets, with or without a trailing comma', () => {
    const text = file(
      `  hosts: [
    {
      name: a, # first
      address: 10.0.0.1,
      user: ubuntu,
    },
    { name: b, address: 10.0.0.2 }, # second
  ]
`,
      'master: [\n      a\n    ]\n    worker: [a,b,\n      ]',
    );
    expect(changesOf(text, added(text, worker('c', '10.0.0.3')))).toEqual([
      '+    { name: c, address: 10.0.0.3 },',
      '-    worker: [a,b,',
      '+    worker: [a,b,c,',
    ]);
    const master = added(text, { name: 'c', roles: ['master'], fields: { address: '10.0.0.3' } });
    expect(changesOf(text, master)).toEqual([
      '+    {',
      '+      name: c, address: 10.0.0.3, user: ubuntu,',
      '+    },',
      '-      a',
      '+      a,',
      '+      c',
    ]);
  });

  it('to a JSON file', () => {
    const text = JSON.stringify({
      apiVersion: 'kubexm.mensylisir.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'json' },
      spec: { hosts: [{ name: 'a', address: '10.0.0.1' }], roleGroups: { etcd: ['a'], master: ['a'] } },
    });
    for (const json of [text, JSON.stringify(JSON.parse(text), undefined, 2)]) {
      const more = added(json, { ...worker('b', '10.0.0.2'), fields: { address: '10.0.0.2', user: 'ops' } });
      expect(JSON.parse(more).spec).toEqual({
        hosts: [
          { name: 'a', address: '10.0.0.1' },
          { name: 'b', address: '10.0.0.2', user: 'ops' },
        ],
        roleGroups: { etcd: ['a'], master: ['a'], worker: ['b'] },
      });
    }
  });

  it('with the settings that all hosts merge from an anchor', () => {
    const text = file(
      `  hosts:
    - &base
      name: node1
      address: 10.0.0.1
      user: &user ubuntu
    - <<: *base
      name: node2
      address: 10.0.0.2
`,
      'master: [node1]\n    worker: [node2]',
    );
    const more = added(text, worker('node3', '10.0.0.3'));
    expect(changesOf(text, more).slice(0, 3)).toEqual([
      '+    - <<: *base',
      '+      name: node3',
      '+      address: 10.0.0.3',
    ]);
    expect(check(more).cluster?.hosts[2]?.login.user).toBe('ubuntu');
    const master = added(text, { ...worker('node3', '10.0.0.3'), roles: ['master'] });
    expect(changesOf(text, master).slice(0, 3)).toEqual([
      '+    - name: node3',
      '+      address: 10.0.0.3',
      '+      user: ubuntu',
    ]);
    expect(removeHosts(text, new Set(['node1']))).toEqual({
      type: 'refused',
      reason: 'a host to be removed defines the anchor &base, which the file uses elsewhere',
    });
  });

  it('with another user or key instead of the credentials of the others', () => {
    const text = file(
      `  hosts:
    - { name: a, address: 10.0.0.1, user: ubuntu, password: "x y", sudoPassword: z, privateKeyPath: k, passphrase: p, port: 22 }
`,
      'master: [a]',
    );
    const like = (fields: Partial<Addition['fields']>) =>
      changesOf(text, added(text, { name: 'b', roles: ['master'], fields: { address: '10.0.0.2', ...fields } }))[0];
    expect(like({ user: 'ops' })).toBe(
      '+    - { name: b, address: 10.0.0.2, user: ops, privateKeyPath: k, passphrase: p, port: 22 }',
    );
    expect(like({ privateKeyPath: '/keys/my key' })).toBe(
      `+    - { name: b, address: 10.0.0.2, user: ubuntu, password: "x y", sudoPassword: z, privateKeyPath: '/keys/my key', port: 22 }`,
    );
  });
});

describe('a role group', () => {
  const hosts = (count: number) =>
    `  hosts:\n${Array.from({ length: count }, (_, index) => `    - { name: node${index + 1}, address: 10.0.0.${index + 1} }\n`).join('')}`;
  const groupAfter = (group: string, edit: (text: string) => string) =>
    /^ {4}worker:(.*(?:\n {5,}.*|\n {4}[-\]].*)*)$/m.exec(
      edit(file(hosts(6), `master: [node1]\n    worker:${group}`)),
    )?.[1];

  it.each([
    [" ['node[1:6]']", " ['node[1:7]']"],
    ['\n      - node[ 4 - 6 ] # all', '\n      - node[ 4 - 7 ] # all'],
    [' [\'node[1:5]\', "node6"]', ' [\'node[1:5]\', "node6", "node7"]'],
    [" [node6, 'node[1:5]']", " [node6, 'node[1:5]', node7]"],
    [' []', ' [node7]'],
    [' [ ]', ' [node7 ]'],
    ['', '\n      - node7'],
    [' # none yet', ' # none yet\n      - node7'],
    [' null', ' [node7]'],
    ['\n    - node2\n    - node3', '\n    - node2\n    - node3\n    - node7'],
    [' [node2,\n      node3]', ' [node2,\n      node3,\n      node7]'],
    [' [\n      node2, # a\n      node3 # b\n      ]', ' [\n      node2, # a\n      node3, # b\n      node7\n      ]'],
  ])('%j with node7 is %j', (before, after) => {
    const add = (text: string) => added(text, worker('node7', '10.0.0.7'));
    expect(groupAfter(before, add)).toBe(after);
    if (before !== ' null') expect(groupAfter(before, (text) => removed(add(text), 'node7'))).toBe(before);
  });

  it.each([
    [" ['node[1:6]']", ['node6'], " ['node[1:5]']"],
    [" ['node[1:6]']", ['node1'], " ['node[2:6]']"],
    [" ['node[1:6]']", ['node3'], " ['node[1:2]', 'node[4:6]']"],
    [' ["node[1:6]"]', ['node2', 'node4'], ' ["node1", "node3", "node[5:6]"]'],
    [
      '\n      - node[2:4] # two to four\n      - node5',
      ['node3'],
      '\n      - node2 # two to four\n      - node4\n      - node5',
    ],
    [' [node2, node3, node4]', ['node2'], ' [node3, node4]'],
    [' [node2, node3, node4]', ['node3', 'node4'], ' [node2]'],
    [' [node2, node3]', ['node2', 'node3'], ' []'],
    ['\n      - node2 # second', ['node2'], ''],
    [' [node2, # second\n      node3, node4]', ['node3'], ' [node2, # second\n      node4]'],
    [' [node2, # second\n      node3]', ['node3'], ' [node2 # second\n      ]'],
    [' [node2,\n      node3]', ['node3'], ' [node2]'],
    [' [\n      node2, # second\n      node3, # third\n    ]', ['node2'], ' [\n      node3, # third\n    ]'],
    [' [\n      node2,\n      node3\n    ]', ['node3'], ' [\n      node2\n    ]'],
    [' [node2, node2, node3]', ['node2'], ' [node3]'],
  ])('%j without %j is %j', (before, names, after) => {
    expect(groupAfter(before, (text) => removed(text, ...names))).toBe(after);
  });

  it('is created if it is missing, in the style of the others', () => {
    const flow = file(hosts(2), 'master: [node1]\n    worker: [node2]');
    const etcd: Addition = { name: 'node2', roles: ['loadbalancer'], fields: undefined };
    expect(changesOf(flow, added(flow, etcd))).toEqual(['+    loadbalancer: [node2]']);
    const block = file(hosts(2), 'master:\n    - node1\n    worker:\n    - node2');
    expect(changesOf(block, added(block, etcd))).toEqual(['+    loadbalancer:', '+    - node2']);
    const inline = file(hosts(2))
      .replace('roleGroups:\n', 'roleGroups: { etcd: [node1], master: [node1] }\n')
      .replace(/ {4}etcd: .*\n {4}.*\n/, '');
    expect(changesOf(inline, added(inline, etcd))[1]).toBe(
      '+  roleGroups: { etcd: [node1], master: [node1], loadbalancer: [node2] }',
    );
  });

  it('can have another name, or be an alias of another group', () => {
    const text = file(hosts(2), 'control-plane: &m [node1]')
      .replace('etcd: [node1]', 'worker: [node2]')
      .replace('worker: [node2]\n    control-plane: &m [node1]', 'control-plane: &m [node1]\n    etcd: *m');
    const both: Addition = { name: 'node2', roles: ['master', 'etcd'], fields: undefined };
    expect(changesOf(text, added(text, both))).toEqual([
      '-    control-plane: &m [node1]',
      '+    control-plane: &m [node1, node2]',
    ]);
    expect(addHosts(text, [{ ...both, roles: ['master'] }])).toEqual({
      type: 'refused',
      reason: 'spec.roleGroups.etcd is the same list as another group',
    });
  });
});

describe('a host is removed', () => {
  it('with the comments that belong to it, and no others', () => {
    const text = file(
      `  hosts:
    # Rack 1
    - { name: node1, address: 10.0.0.1 } # first
    # node2: has a GPU
    # and much memory
    - name: node2 # second
      # The address of the management network.
      address: 10.0.0.2
      # port: 22
    # Rack 2
    - { name: node3, address: 10.0.0.3 }
    # 10.0.0.4 was here.
`,
      'master: [node1]\n    worker: [node2, node3]',
    );
    expect(changesOf(text, removed(text, 'node2'))).toEqual([
      '-    # node2: has a GPU',
      '-    # and much memory',
      '-    - name: node2 # second',
      '-      # The address of the management network.',
      '-      address: 10.0.0.2',
      '-      # port: 22',
      '-    worker: [node2, node3]',
      '+    worker: [node3]',
    ]);
    expect(changesOf(text, removed(text, 'node3')).slice(0, -2)).toEqual(['-    - { name: node3, address: 10.0.0.3 }']);
  });

  it('and a file that ends without a line break still does', () => {
    const text =
      'apiVersion: kubexm.mensylisir.io/v1alpha1\nkind: Cluster\nmetadata: {name: x}\nspec:\n  roleGroups: {etcd: [a], master: [a], worker: [b]}\n  hosts:\n  - {name: a, address: 10.0.0.1}\n  - {name: b, address: 10.0.0.2}';
    expect(removed(text, 'b')).toBe(text.replace('\n  - {name: b, address: 10.0.0.2}', '').replace('[b]', '[]'));
    expect(removed(added(text, worker('c', '10.0.0.3')), 'c')).toBe(text);
  });

  it('from a file with Windows line breaks, which stay', () => {
    const text = fixture('full.yaml').replaceAll('\n', '\r\n');
    const more = added(text, worker('extra', '198.51.100.99'));
    expect(more.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(removed(more, 'extra')).toBe(text);
  });

  it('from the first document only', () => {
    const text = `${file('  hosts:\n  - {name: a, address: 10.0.0.1}\n  - {name: b, address: 10.0.0.2}\n', 'master: [a]\n    worker: [b]').replace('kubexm.mensylisir.io/v1alpha1', 'kubekey.kubesphere.io/v1alpha2')}---\napiVersion: v1\nkind: X\nspec: {hosts: [{name: b}]}\n`;
    expect(lines(check(text)).join()).not.toContain('error');
    expect(changesOf(text, removed(text, 'b'))).toEqual([
      '-  - {name: b, address: 10.0.0.2}',
      '-    worker: [b]',
      '+    worker: []',
    ]);
    expect(removed(added(text, worker('c', '10.0.0.3')), 'c')).toBe(text);
  });
});
