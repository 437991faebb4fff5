import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../src/common/errors/catalog.ts';
import { KubexmError } from '../../../../src/common/errors/errors.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { checkRemoval } from '../../../../src/runtime/membership/guards.ts';
import type { EtcdMember } from '../../../../src/step/etcd/members.ts';
import { quorumOf } from '../../../../src/step/etcd/quorum.ts';
import { peerUrl } from '../../../../src/template/etcd/environment.ts';

const cluster = await loadCluster('examples/ha-haproxy.yaml', {
  overrides: ['etcd.type=kubeadm', 'roleGroups.etcd=[]'],
});
const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
const [first = '', second = '', third = ''] = masters.map(({ name }) => name);

interface Situation {
  readonly down?: readonly string[];
  readonly stranded?: readonly string[];
  readonly force?: boolean;
  readonly before?: Cluster;
}

/** The warnings, or the code of the refusal. */
function check(
  names: readonly string[],
  { down = [], stranded = [], force = false, before = cluster }: Situation = {},
) {
  const leaving = before.hosts.filter(({ name }) => names.includes(name));
  const after = { ...before, hosts: before.hosts.filter(({ name }) => !names.includes(name)) };
  const members = masters.map((host, at): EtcdMember => ({
    id: `a${at}`,
    name: host.name,
    peerUrls: [peerUrl(host)],
    clientUrls: [],
    isLearner: false,
    isHealthy: !down.includes(host.name),
  }));
  try {
    return checkRemoval({ before, after, leaving, members, stranded, force });
  } catch (error) {
    if (error instanceof KubexmError) return error;
    throw error;
  }
}

const codeOf = (result: ReturnType<typeof check>) => (result instanceof KubexmError ? result.code : undefined);

describe('removing hosts', () => {
  it('refuses every loss of quorum, whatever is forced', () => {
    const some = fc.subarray(masters.map(({ name }) => name));
    fc.assert(
      fc.property(some, some, fc.boolean(), (leaving, down, force) => {
        const result = check(leaving, { down, force });
        const left = masters.filter(({ name }) => !leaving.includes(name));
        const healthy = left.filter(({ name }) => !down.includes(name)).length;
        const isSafe = left.length > 0 && healthy >= quorumOf(left.length) && down.length < quorumOf(masters.length);
        expect(codeOf(result) === undefined).toBe(leaving.length === 0 || isSafe);
      }),
    );
  });

  it('counts members that are down now, and names them', () => {
    expect(codeOf(check([second], { down: [third] }))).toBe('QUORUM_AT_RISK');
    const message: unknown = expect.stringContaining(third);
    expect(check([second], { down: [third], force: true })).toMatchObject({
      code: 'QUORUM_AT_RISK',
      exit: 14,
      message,
    });
    expect(codeOf(check([third], { down: [third] }))).toBeUndefined();
  });

  it('refuses the last master', () => {
    const alone = { ...cluster, hosts: cluster.hosts.filter(({ name }) => name !== second && name !== third) };
    expect(codeOf(check([first], { before: alone, force: true }))).toBe('LAST_MASTER');
  });

  it('refuses to leave Pods without a node, unless forced', () => {
    const worker = cluster.hosts.find(({ roles }) => !roles.includes('master'))!.name;
    expect(codeOf(check([worker], { stranded: ['default/web-1'] }))).toBe('LAST_WORKER');
    expect(check([worker], { stranded: ['default/web-1'], force: true })).toEqual([]);
    expect(check([worker])).toEqual([]);
  });

  it('warns about an even number of members only if a member leaves', () => {
    expect(check([second])).toEqual([expect.stringContaining('2 members')]);
    expect(check([second, third])).toEqual([]);
  });

  it('exits with 14 for every refusal', () => {
    for (const code of ['QUORUM_AT_RISK', 'QUORUM_LOST', 'LAST_MASTER', 'LAST_WORKER', 'REGISTRY_HOST_KEPT'] as const)
      expect(catalog[code].exit).toBe(14);
  });
});
