import { stateFile } from '../../common/cluster-files.ts';
import { readApplied } from '../../config/model/applied.ts';
import { readPrivateFile } from '../../util/private-file.ts';
import type { StepContext } from '../contract/part.ts';
import { appliedEtcdMembers } from './applied-hosts.ts';
import { readPublished } from './published.ts';

/** Reads the etcd members of the last successful run, from this machine or from the cluster; undefined if there is no state. */
export const readAppliedMembers =
  (folder: string) =>
  async (ctx: StepContext): Promise<readonly string[] | undefined> => {
    const local = readApplied((await readPrivateFile(stateFile(folder))) ?? '');
    if (local) return appliedEtcdMembers(local);
    for (const master of ctx.hosts.withRole('master')) {
      const published = await readPublished(ctx, master);
      if (published) return appliedEtcdMembers(published);
    }
    return undefined;
  };
