import { describe, expect, it } from 'vitest';
import { spreadCoreDns } from '../../../../src/step/addon/spread-coredns.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { load } from '../network/support.ts';

describe('CoreDNS Pods', () => {
  it.each([
    ['on one node of several are restarted', '', ['node1', 'node1'], 'all CoreDNS Pods are on node1'],
    ['on no node yet are restarted', '', ['', ''], 'no CoreDNS Pod is scheduled yet'],
    [
      'restarted while there was one node are restarted again',
      'one-node',
      ['node1', 'node1'],
      'all CoreDNS Pods are on node1',
    ],
    ['on two nodes are not restarted', '', ['node1', 'node2'], undefined],
    ['that were spread once are not restarted', 'once', ['node1', 'node1'], undefined],
    ['are not restarted if there is only one', '', ['node1'], undefined],
  ])('%s', async (_, annotation, nodes, because) => {
    const { ctx } = contextWith([annotation, '1', '2', ...nodes]);
    const finding = await spreadCoreDns(await load()).precheck(ctx);
    expect(finding).toEqual(because === undefined ? { done: true } : { done: false, because });
  });

  it.each([
    ['are restarted while they are not ready', '', '1', false],
    ['are not restarted when they are ready', '', '2', true],
    ['are not restarted twice', 'one-node', '1', true],
  ])('of a single-node cluster %s', async (_, annotation, ready, done) => {
    const { ctx } = contextWith([annotation, ready, '2', 'node1', 'node1']);
    const one = await load(
      'hosts=[{"name":"node1","address":"10.0.0.1"}]',
      'roleGroups={"etcd":["node1"],"master":["node1"],"worker":["node1"]}',
    );
    expect(await spreadCoreDns(one).precheck(ctx)).toMatchObject({ done });
  });

  it('get a frequent readiness probe', async () => {
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
