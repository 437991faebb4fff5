import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { StepContext } from '../contract/part.ts';
import { forgetFailedJoins, forgetMember } from './forget-member.ts';
import { memberOn, readMembers } from './members.ts';

/** The members that joining a master has to consider; undefined unless kubeadm runs etcd. */
export const stackedMembers = (cluster: Cluster) =>
  cluster.etcd.type !== 'kubeadm'
    ? undefined
    : {
        async has(ctx: StepContext, through: Host, host: ClusterHost): Promise<boolean> {
          const found = await readMembers(ctx.on(through), 'kubeadm', through.name);
          return found.type === 'members' && memberOn(found.members, host) !== undefined;
        },
        forget: (ctx: StepContext, through: Host, host: ClusterHost): Promise<void> =>
          forgetMember(ctx, { etcd: 'kubeadm', through }, host),
        async forgetFailedJoins(ctx: StepContext, through: Host, host: ClusterHost): Promise<void> {
          const at = { etcd: 'kubeadm', through } as const;
          await forgetMember(ctx, at, host);
          await forgetFailedJoins(ctx, at, { cluster, joining: host });
        },
      };
