import type { ClusterHost } from '../../config/model/cluster.ts';
import { ETCD } from '../../template/etcd/access.ts';
import { etcdEnvironment, peerUrl, type EtcdMember } from '../../template/etcd/environment.ts';
import { file } from '../common/file.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { membersThrough } from './add-member.ts';
import { memberData } from './data.ts';

/** The settings of a member, and the host of a member that it joins; undefined if it starts a new etcd. */
export interface MemberEnvironmentOptions {
  readonly member: EtcdMember;
  readonly through: string | undefined;
}

/**
 * The environment file of a member. The lines about the initial cluster matter only at its first start: later they stay
 * as they are, so that adding and removing members restarts no other.
 */
export function memberEnvironment({ member, through }: MemberEnvironmentOptions): GenericStep {
  const rendered = file({ path: ETCD.environment, content: etcdEnvironment(member) });
  const current = async (ctx: StepContext): Promise<GenericStep> => {
    const [text, data] = await Promise.all([
      ctx.runner.read(ETCD.environment),
      ctx.runner.stat(memberData(member.etcd.dataDir)),
    ]);
    if (text !== undefined && data !== undefined)
      return file({ path: ETCD.environment, content: withInitialLines(etcdEnvironment(member), text) });
    if (through === undefined) return rendered;
    const content = etcdEnvironment({ ...member, ...(await joiningCluster(ctx, member.host, through)) });
    return file({ path: ETCD.environment, content });
  };
  return Object.freeze<GenericStep>({
    ...rendered,
    precheck: async (ctx) => (await current(ctx)).precheck(ctx),
    run: async (ctx) => (await current(ctx)).run(ctx),
  });
}

/** etcd requires exactly the members that exist when it starts. */
async function joiningCluster(ctx: StepContext, host: ClusterHost, through: string) {
  const members = await membersThrough(ctx, through);
  const initialCluster = members.flatMap(({ name, peerUrls }) =>
    peerUrls.map((url) => `${url === peerUrl(host) ? host.name : name}=${url}`),
  );
  return { initialCluster: initialCluster.join(','), state: 'existing' as const };
}

/** Replaces the lines about the initial cluster by those of another environment file. */
export function withInitialLines(wanted: string, found: string): string {
  const lines = new Map(found.split('\n').flatMap((line) => (INITIAL.test(line) ? [[nameOf(line), line]] : [])));
  return wanted
    .split('\n')
    .map((line) => lines.get(nameOf(line)) ?? line)
    .join('\n');
}

const INITIAL = /^ETCD_INITIAL_CLUSTER(_STATE)?=/;
const nameOf = (line: string) => line.slice(0, line.indexOf('='));
