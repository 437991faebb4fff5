import { createHash } from 'node:crypto';
import { VERSION } from '../../common/version.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { inOrder } from '../../common/in-order.ts';

/** Another one says that the same steps may mean something else. Of secrets it knows where they come from, not what they are. */
export const digestOf = (cluster: Cluster): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, cluster], inOrder))
    .digest('hex');
