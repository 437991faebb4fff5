import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { addMember, promoteMember } from '../../../../src/step/etcd/add-member.ts';
import { memberEnvironment, withInitialLines } from '../../../../src/step/etcd/member-environment.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, no, ok, type FakeHost } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides: ['roleGroups.etcd=[node1,node2,node3]'] });
const { etcd } = cluster;
if (etcd.type !== 'kubexm') throw new Error('the fixture has an etcd that kubexm installs');
const hosts = hostsOf(cluster);
const [node1, node2] = hosts.all;
const options = { cluster, etcd, through: node1!.name };

interface Member {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly learner: boolean;
}

/** node1 with an etcd that behaves like the real one: one learner at most, and learners in sync are promoted. */
function etcdWith(members: Member[], { syncAfter = 0, data = false, refusals = 0 } = {}) {
  const fake = fakeHost('node1');
  let left = syncAfter;
  let refused = 0;
  fake.answer(/member list/, () =>
    ok(
      members
        .map(({ id, name, at, learner }) =>
          [id, name === '' ? 'unstarted' : 'started', name, `https://10.0.0.${at}:2380`, '', learner].join(', '),
        )
        .join('\n') + '\n',
    ),
  );
  fake.answer(/endpoint health/, () => ok('[]'));
  fake.answer(/member add (\S+) --learner --peer-urls https:\/\/10\.0\.0\.(\d)/, ([, , at]) => {
    if (refused++ < refusals) return no('Error: etcdserver: unhealthy cluster');
    if (members.some(({ learner }) => learner)) return no('etcdserver: too many learner members in cluster');
    members.push({ id: `c${at}`, name: '', at: Number(at), learner: true });
    return ok();
  });
  fake.answer(/member remove (\w+)/, ([, id]) => {
    members.splice(
      members.findIndex((member) => member.id === id),
      1,
    );
    return ok();
  });
  fake.answer(/member promote (\w+)/, ([, id]) => {
    if (left-- > 0) return no('{"error":"can only promote a learner member which is in sync with leader"}');
    members.forEach((member, at) => member.id === id && (members[at] = { ...member, learner: false }));
    return ok();
  });
  const own = fakeHost('node2');
  own.answer(/member\/wal/, () => (data ? ok('41c0 0 1 etcd etcd 0 0') : { ...no(), exit: 44 }));
  const fakes: Readonly<Record<string, FakeHost>> = { node1: fake, node2: own };
  const said: string[] = [];
  const ctx = fakeContext(node2!, own, {
    hosts,
    runner: createRunner(own, fakeFacts('node2')),
    on: ({ name }) => createRunner(fakes[name]!, fakeFacts(name)),
    say: (line) => void said.push(line),
  });
  return { ctx, members, said, own };
}

const FIRST: Member = { id: 'a1', name: 'node1', at: 1, learner: false };
const [added] = addMember(options).parts({ host: node2!, hosts, facts: fakeContext(node2!, fakeHost('x')).facts });
const [promoted] = promoteMember(options).parts({
  host: node2!,
  hosts,
  facts: fakeContext(node2!, fakeHost('x')).facts,
});

describe('a new etcd member', () => {
  it('joins as a learner, once', async () => {
    const { ctx, members } = etcdWith([FIRST]);
    expect(await added!.precheck(ctx)).toMatchObject({ done: false });
    await added!.run(ctx);
    expect(members).toEqual([FIRST, { id: 'c2', name: '', at: 2, learner: true }]);
    expect(await added!.precheck(ctx)).toEqual({ done: true });
    await added!.run(ctx);
    expect(members).toHaveLength(2);
  });

  it('replaces the member of an earlier attempt that lost its data, and removes learners of failed joins', async () => {
    const { ctx, members } = etcdWith([
      FIRST,
      { id: 'b2', name: 'node2', at: 2, learner: false },
      { id: 'b3', name: '', at: 3, learner: true },
    ]);
    expect(await added!.precheck(ctx)).toMatchObject({ done: false });
    await added!.run(ctx);
    expect(members).toEqual([FIRST, { id: 'c2', name: '', at: 2, learner: true }]);
  });

  it('is refused on a host with data of another etcd', async () => {
    const { ctx } = etcdWith([FIRST], { data: true });
    await expect(added!.run(ctx)).rejects.toMatchObject({ code: 'ETCD_DATA_KEPT' });
  });

  it('is promoted when it is in sync', async () => {
    const { ctx, members, said } = etcdWith([FIRST, { id: 'c2', name: 'node2', at: 2, learner: true }], {
      syncAfter: 1,
    });
    await promoted!.run(ctx);
    expect(members[1]).toMatchObject({ learner: false });
    expect(said).toEqual(['etcd: can only promote a learner member which is in sync with leader']);
    expect(await promoted!.precheck(ctx)).toEqual({ done: true });
  });

  it('is removed by rollback, unless it was a member before', async () => {
    const { ctx, members } = etcdWith([FIRST]);
    const before = await added!.remember!(ctx);
    await added!.run(ctx);
    await added!.rollback!(ctx, before);
    expect(members).toEqual([FIRST]);
    const again = etcdWith([FIRST, { id: 'b2', name: 'node2', at: 2, learner: false }], { data: true });
    await added!.rollback!(again.ctx, await added!.remember!(again.ctx));
    expect(again.members).toHaveLength(2);
  });

  it('is removed before its etcd stops if its promotion is rolled back', async () => {
    const { ctx, members } = etcdWith([FIRST, { id: 'c2', name: 'node2', at: 2, learner: true }]);
    const before = await promoted!.remember!(ctx);
    await promoted!.run(ctx);
    await promoted!.rollback!(ctx, before);
    expect(members).toEqual([FIRST]);
  });

  it('is added as soon as the other members are connected to each other', async () => {
    const { ctx, members } = etcdWith([FIRST], { refusals: 1 });
    await added!.run(ctx);
    expect(members).toHaveLength(2);
  });
});

describe('the environment of a member', () => {
  const member = {
    etcd,
    version: '3.6.16',
    host: cluster.hosts[1]!,
    members: cluster.hosts.slice(0, 3),
    token: 'c',
    state: 'new' as const,
    files: { ca: '', certificate: '', key: '', peerCertificate: '', peerKey: '' },
  };

  it('lists exactly the members that exist when it joins', async () => {
    const { ctx, own } = etcdWith([FIRST, { id: 'c2', name: '', at: 2, learner: true }]);
    own.answer(/etcd\.env/, () => ({ ...no(), exit: 44 }));
    const finding = await memberEnvironment({ member, through: 'node1' }).precheck(ctx);
    const diff = 'diff' in finding ? finding.diff : '';
    expect(diff).toContain('ETCD_INITIAL_CLUSTER=node1=https://10.0.0.1:2380,node2=https://10.0.0.2:2380\n');
    expect(diff).toContain('ETCD_INITIAL_CLUSTER_STATE=existing');
  });

  it('keeps the lines about the initial cluster of a member that has started', () => {
    const found = 'ETCD_NAME=old\nETCD_INITIAL_CLUSTER=a=https://a\nETCD_INITIAL_CLUSTER_STATE=existing\n';
    const wanted = 'ETCD_NAME=new\nETCD_INITIAL_CLUSTER=a=https://a,b=https://b\nETCD_INITIAL_CLUSTER_STATE=new\n';
    expect(withInitialLines(wanted, found)).toBe(
      'ETCD_NAME=new\nETCD_INITIAL_CLUSTER=a=https://a\nETCD_INITIAL_CLUSTER_STATE=existing\n',
    );
  });
});
