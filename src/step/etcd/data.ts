import { join } from 'node:path/posix';
import { ETCD } from '../../template/etcd/access.ts';
import { directory } from '../common/directory.ts';
import { ownedContent } from '../common/owned-content.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The state of the cluster has a place that only etcd reads and writes. Undone, data goes that was not there before. */
export const etcdData = (dataDir: string): Step =>
  defineStep({
    name: 'etcd.data',
    summary: 'Make room for the data of etcd',
    reversible: true,
    parts: () => [
      directory({ path: dataDir, mode: 0o700, owner }),
      // Data that an earlier cluster was asked to leave belongs to a user who is gone.
      ownedContent({ path: join(dataDir, 'member'), mode: 0o700, owner, what: 'data' }),
    ],
  });

const owner = `${ETCD.user}:${ETCD.user}`;
