import { createHash } from 'node:crypto';
import { VERSION } from '../common/version.ts';
import type { Cluster } from '../config/cluster.ts';

/** Another one says that the same steps may mean something else. Of secrets it knows where they come from, not what they are. */
export const digestOf = (cluster: Cluster): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, cluster], inOrder))
    .digest('hex');

/** The order in which keys stand in a file says nothing. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
