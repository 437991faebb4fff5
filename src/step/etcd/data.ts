import { join } from 'node:path/posix';
import { ETCD } from '../../template/etcd/access.ts';
import { directory } from '../common/directory.ts';
import { ownedContent } from '../common/owned-content.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Creates the data directory, accessible only to etcd. Undo removes data that did not exist before. */
export const etcdData = (dataDir: string): Step =>
  defineStep({
    name: 'etcd.data',
    summary: 'Create the etcd data directory',
    reversible: true,
    parts: () => [
      directory({ path: dataDir, mode: 0o700, owner }),
      // Data preserved from a deleted cluster belongs to a user that no longer exists.
      ownedContent({ path: join(dataDir, 'member'), mode: 0o700, owner, what: 'data' }),
    ],
  });

const owner = `${ETCD.user}:${ETCD.user}`;

/** Exists once the member has started for the first time. */
export const memberData = (dataDir: string): string => join(dataDir, 'member', 'wal');
