import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { memberOn, parseMembers } from '../../../../src/step/etcd/members.ts';
import { healthyEndpoints } from '../../../../src/step/etcd/parse-health.ts';
import { quorumLoss, quorumOf, removalOrder } from '../../../../src/step/etcd/quorum.ts';

const LIST = `8e9e05c52164694d, started, node1, https://10.0.0.1:2380, https://10.0.0.1:2379, false
fd422379fda50e48, started, node2, https://10.0.0.2:2380,https://[fd00::2]:2380, https://10.0.0.2:2379, true
91bc3c398fb3c146, unstarted, , https://10.0.0.3:2380, , true
`;

describe('the member list', () => {
  it('keeps ids exactly, which do not fit into a JavaScript number', () => {
    expect(parseMembers(LIST).map(({ id }) => id)).toEqual([
      '8e9e05c52164694d',
      'fd422379fda50e48',
      '91bc3c398fb3c146',
    ]);
  });

  it('has several peer URLs, learners, and members without a name', () => {
    const [first, second, third] = parseMembers(LIST);
    expect(first).toMatchObject({ name: 'node1', isLearner: false, clientUrls: ['https://10.0.0.1:2379'] });
    expect(second?.peerUrls).toEqual(['https://10.0.0.2:2380', 'https://[fd00::2]:2380']);
    expect(third).toMatchObject({ name: '', isLearner: true, clientUrls: [] });
  });

  it('finds the member of a host by its peer URL first, then by its name', async () => {
    const { hosts } = await loadCluster('test/fixtures/kubeadm.yaml');
    const members = parseMembers(LIST).map((member) => ({ ...member, isHealthy: true }));
    const [node1, , node3] = hosts;
    expect(memberOn(members, node3!)?.id).toBe('91bc3c398fb3c146');
    expect(memberOn(members, { ...node1!, internalAddresses: ['10.0.0.2'] })?.id).toBe('fd422379fda50e48');
    expect(memberOn(members, { ...node1!, internalAddresses: ['10.0.0.9'] })?.id).toBe('8e9e05c52164694d');
    expect(memberOn(members, { ...node1!, name: 'other', internalAddresses: ['10.0.0.9'] })).toBeUndefined();
  });

  it('counts an endpoint as healthy only if etcdctl says so', () => {
    const answer = '[{"endpoint":"https://a:2379","health":true},{"endpoint":"https://b:2379","health":false}]';
    expect([...healthyEndpoints(answer)]).toEqual(['https://a:2379']);
    expect([...healthyEndpoints('Error: context deadline exceeded')]).toEqual([]);
  });
});

describe('quorum', () => {
  const members = fc
    .array(fc.record({ isHealthy: fc.boolean(), leaves: fc.boolean() }), { minLength: 1, maxLength: 7 })
    .map((all) => all.map((each, at) => ({ ...each, id: `${at}` })));

  it('is never lost by a removal that is accepted, before, during and after it', () => {
    fc.assert(
      fc.property(members, (all) => {
        const leaving = all.filter(({ leaves }) => leaves);
        if (quorumLoss(all, leaving)) return;
        let left = all;
        for (const { id } of [{ id: '' }, ...removalOrder(leaving)]) {
          left = left.filter((member) => member.id !== id);
          expect(left.filter(({ isHealthy }) => isHealthy).length).toBeGreaterThanOrEqual(quorumOf(left.length));
        }
      }),
    );
  });

  it('is reported as lost only if it is lost in every order of the removal', () => {
    fc.assert(
      fc.property(members, (all) => {
        const leaving = all.filter(({ leaves }) => leaves);
        if (!quorumLoss(all, leaving)) return;
        const losesQuorum = (order: typeof all) =>
          [...order.keys(), order.length].some((count) => {
            const gone = new Set(order.slice(0, count));
            const left = all.filter((member) => !gone.has(member));
            return left.filter(({ isHealthy }) => isHealthy).length < quorumOf(left.length);
          });
        for (const order of permutations(leaving.slice(0, 5))) {
          const rest = leaving.slice(5);
          expect(losesQuorum([...order, ...rest])).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    // [members, down, leaving that are up, leaving that are down, lost]
    [3, 0, 1, 0, false],
    [3, 0, 2, 0, false],
    [3, 0, 3, 0, true],
    [3, 1, 0, 1, false],
    [3, 1, 1, 0, true],
    [3, 1, 1, 1, false],
    [3, 2, 0, 2, true],
    [2, 1, 0, 1, true],
    [1, 0, 1, 0, true],
    [5, 2, 0, 2, false],
    [5, 2, 1, 0, true],
    [5, 2, 1, 2, false],
  ])(
    'of %i members with %i down, without %i healthy and %i failed ones: lost is %s',
    (count, down, up, failed, lost) => {
      const all = Array.from({ length: count }, (_, at) => ({ id: `${at}`, isHealthy: at >= down }));
      const leaving = [...all.slice(0, failed), ...all.slice(down, down + up)];
      expect(quorumLoss(all, leaving) !== undefined).toBe(lost);
    },
  );
});

function permutations<T>(items: readonly T[]): readonly T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}
