import type { Host } from '../../common/host.ts';
import type { ClusterHost } from '../../config/model/cluster.ts';
import type { StepContext } from '../contract/part.ts';

/** The members of an etcd that kubeadm runs on the masters, reached through a running master. */
export interface StackedMembers {
  has(ctx: StepContext, through: Host, host: ClusterHost): Promise<boolean>;
  /** Removes the member of a host that did not complete its join. */
  forget(ctx: StepContext, through: Host, host: ClusterHost): Promise<void>;
  /** Removes what failed joins left, of this host and of others. */
  forgetFailedJoins(ctx: StepContext, through: Host, host: ClusterHost): Promise<void>;
}
