import { describe, expect, it } from 'vitest';
import { spreadCoreDns } from '../../../../src/step/addon/spread-coredns.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { load } from '../network/support.ts';

describe('pods of CoreDNS', () => {
  it.each([
    ['on one node of several are started anew', '', ['node1', 'node1'], 'all pods of CoreDNS are on node1'],
    ['on no node yet are started anew', '', ['', ''], 'all pods of CoreDNS are on no node yet'],
    [
      'on one node since there was only that one, too',
      'one-node',
      ['node1', 'node1'],
      'all pods of CoreDNS are on node1',
    ],
    ['on two nodes stay', '', ['node1', 'node2'], undefined],
    ['that were told once stay where the scheduler put them', 'once', ['node1', 'node1'], undefined],
    ['that are one alone stay', '', ['node1'], undefined],
  ])('%s', async (_, told, nodes, because) => {
    const { ctx } = contextWith([told, '1', '2', ...nodes]);
    const finding = await spreadCoreDns(await load()).precheck(ctx);
    expect(finding).toEqual(because === undefined ? { done: true } : { done: false, because });
  });

  it.each([
    ['are started anew while they do not run', '', '1', false],
    ['are not when they run', '', '2', true],
    ['are not a second time', 'one-node', '1', true],
  ])('of a cluster of one node %s', async (_, told, ready, done) => {
    const { ctx } = contextWith([told, ready, '2', 'node1', 'node1']);
    const one = await load(
      'hosts=[{"name":"node1","address":"10.0.0.1"}]',
      'roleGroups={"etcd":["node1"],"master":["node1"],"worker":["node1"]}',
    );
    expect(await spreadCoreDns(one).precheck(ctx)).toMatchObject({ done });
  });

  it('are asked often whether they are ready', async () => {
    const { ctx, patches } = contextWith(['', '0', '2', 'node1', 'node1']);
    await spreadCoreDns(await load()).run(ctx);
    expect(patches).toMatchObject([
      {
        spec: {
          template: {
            metadata: { annotations: { 'kubexm.mensylisir.io/spread': 'once' } },
            spec: { containers: [{ name: 'coredns', readinessProbe: { periodSeconds: 2 } }] },
          },
        },
      },
    ]);
  });
});

function contextWith(lines: readonly string[]) {
  const patches: unknown[] = [];
  const host = { name: 'node1', address: '10.0.0.1', roles: ['master'] } as const;
  const fake = fakeHost(host.name);
  fake.answer(/get deployment coredns/, () => ok(`${lines.join('\n')}\n`));
  fake.answer(/patch deployment coredns/, (_, stdin) => (patches.push(JSON.parse(stdin)), ok()));
  return { ctx: fakeContext(host, fake), patches };
}
