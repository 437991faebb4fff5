import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { endpointAddress, hostsBlock } from '../../template/etc-hosts.ts';
import { blockIn, withBlock } from '../common/text/block.ts';
import type { StepContext } from '../contract/part.ts';

/**
 * Lets a node find the endpoint of the API at a master that answers, while its own server or proxy does not run yet.
 * Only our own lines of /etc/hosts are touched, and they are put back whatever happens; if we are killed, the next run
 * finds them other than they should be.
 */
export async function withEndpointOverride<T>(
  ctx: Pick<StepContext, 'runner'>,
  { cluster, host, via }: EndpointOverride,
  act: () => Promise<T>,
): Promise<T> {
  if (!isOwnEndpoint(cluster, host) || !(await point(ctx, cluster, host, via))) return act();
  try {
    return await act();
  } finally {
    await point(ctx, cluster, host, endpointAddress(cluster, host));
  }
}

/** Who goes round, and by which address. */
export interface EndpointOverride {
  readonly cluster: Cluster;
  readonly host: ClusterHost;
  readonly via: string;
}

/** Its own server or proxy is where it finds the API. */
export const isOwnEndpoint = (cluster: Cluster, host: ClusterHost): boolean => {
  const at = endpointAddress(cluster, host);
  return at !== undefined && ['127.0.0.1', ...host.internalAddresses].includes(at);
};

async function point(
  { runner }: Pick<StepContext, 'runner'>,
  cluster: Cluster,
  host: ClusterHost,
  at: string | undefined,
): Promise<boolean> {
  const [text, found] = await Promise.all([runner.read(HOSTS), runner.stat(HOSTS)]);
  const block = { marker: cluster.name, comment: '#', first: true };
  if (text === undefined || found === undefined || blockIn(text, block) === undefined) return false;
  const content = withBlock(text, { ...block, content: hostsBlock(cluster, host, at) });
  if (content !== text) await runner.write({ path: HOSTS, content, mode: found.mode, owner: found.owner });
  return true;
}

const HOSTS = '/etc/hosts';
