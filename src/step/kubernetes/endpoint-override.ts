import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { endpointAddress, hostsBlock } from '../../template/etc-hosts.ts';
import { blockIn, withBlock } from '../common/text/block.ts';
import type { StepContext } from '../contract/part.ts';

/**
 * Points the API endpoint to a running master while `action` runs, for nodes whose own API server or proxy does not run
 * yet. Changes only the kubexm block of /etc/hosts and always restores it; after a kill, the next run corrects it.
 */
export async function withEndpointOverride<T>(
  ctx: Pick<StepContext, 'runner'>,
  { cluster, host, address }: EndpointOverride,
  action: () => Promise<T>,
): Promise<T> {
  if (!isOwnEndpoint(cluster, host) || !(await setEndpoint(ctx, cluster, host, address))) return action();
  try {
    return await action();
  } finally {
    await setEndpoint(ctx, cluster, host, endpointAddress(cluster, host));
  }
}

export interface EndpointOverride {
  readonly cluster: Cluster;
  readonly host: ClusterHost;
  /** The address of a running master. */
  readonly address: string;
}

/** Whether the host reaches the API through its own API server or proxy. */
export const isOwnEndpoint = (cluster: Cluster, host: ClusterHost): boolean => {
  const address = endpointAddress(cluster, host);
  return address !== undefined && ['127.0.0.1', ...host.internalAddresses].includes(address);
};

/** Returns false if /etc/hosts has no kubexm block. */
async function setEndpoint(
  { runner }: Pick<StepContext, 'runner'>,
  cluster: Cluster,
  host: ClusterHost,
  address: string | undefined,
): Promise<boolean> {
  const [text, found] = await Promise.all([runner.read(HOSTS), runner.stat(HOSTS)]);
  const block = { marker: cluster.name, comment: '#', first: true };
  if (text === undefined || found === undefined || blockIn(text, block) === undefined) return false;
  const content = withBlock(text, { ...block, content: hostsBlock(cluster, host, address) });
  if (content !== text) await runner.write({ path: HOSTS, content, mode: found.mode, owner: found.owner });
  return true;
}

const HOSTS = '/etc/hosts';
