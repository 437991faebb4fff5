import type { ClusterHost } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { peerUrl } from '../../template/etcd/environment.ts';
import { etcdctl, type MemberEtcd } from './etcdctl.ts';
import { healthyEndpoints } from './parse-health.ts';

/** A member of the etcd cluster, as its members know it. */
export interface EtcdMember {
  /** In hexadecimal, as etcdctl prints and expects it. */
  readonly id: string;
  /** Empty until the member has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
  /** Whether it responds and is part of the quorum now. */
  readonly isHealthy: boolean;
}

/** The members, or why etcd did not list them: without quorum it does not. */
export type EtcdMembers<Member = EtcdMember> =
  | { readonly type: 'members'; readonly members: readonly Member[] }
  | { readonly type: 'unavailable'; readonly reason: string };

/** A member whose health was not checked. */
export type ListedMember = Omit<EtcdMember, 'isHealthy'>;

/** Reads the members through the member on one host. Their health is not checked, which takes seconds if one has failed. */
export async function listMembers(
  runner: Pick<Runner, 'query'>,
  etcd: MemberEtcd,
  host: string,
): Promise<EtcdMembers<ListedMember>> {
  const { exit, stdout, stderr } = await runner.query(etcdctl(etcd, host, sh`member list -w simple`));
  if (exit !== 0) return { type: 'unavailable', reason: lastLine(stderr) || `exit code ${exit}` };
  return { type: 'members', members: parseMembers(stdout) };
}

/** Reads the members and their health through the member on one host; one round trip. */
export async function readMembers(runner: Pick<Runner, 'query'>, etcd: MemberEtcd, host: string): Promise<EtcdMembers> {
  const [list, health] = await Promise.all([
    listMembers(runner, etcd, host),
    runner.query(etcdctl(etcd, host, sh`endpoint health --cluster --command-timeout 5s -w json`)),
  ]);
  if (list.type === 'unavailable') return list;
  const healthy = healthyEndpoints(health.stdout);
  const members = list.members.map((member) => ({
    ...member,
    isHealthy: member.clientUrls.some((url) => healthy.has(url)),
  }));
  return { type: 'members', members };
}

/** The member that runs on a host: the one with its peer URL, else the one with its name. */
export const memberOn = <Member extends ListedMember>(
  members: readonly Member[],
  host: ClusterHost,
): Member | undefined =>
  members.find(({ peerUrls }) => peerUrls.includes(peerUrl(host))) ?? members.find(({ name }) => name === host.name);

/** Parses `etcdctl member list -w simple`. In JSON the ids are numbers that JavaScript cannot represent. */
export const parseMembers = (text: string): readonly ListedMember[] =>
  [...text.matchAll(/^([0-9a-f]+), (?:un)?started, (.*), (\S*), (\S*), (true|false)$/gm)].map(
    ([, id = '', name = '', peers = '', clients = '', learner]) => ({
      id,
      name,
      peerUrls: listOf(peers),
      clientUrls: listOf(clients),
      isLearner: learner === 'true',
    }),
  );

const listOf = (text: string) => text.split(',').filter((each) => each !== '');

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? '';
