import { fail } from '../../common/errors/errors.ts';
import { listRuns } from '../../state/runs.ts';
import { readRun, type RunRecord } from './read-run.ts';

/** Finds a run by ID, by an unambiguous prefix of an ID, or by "latest". */
export async function findRun(workdir: string, cluster: string, wanted: string): Promise<RunRecord> {
  const ids = await listRuns(workdir, cluster);
  const found = wanted === 'latest' ? ids.slice(0, 1) : ids.filter((id) => id.startsWith(wanted));
  const [id] = found;
  if (id === undefined || found.length > 1)
    throw fail('RUN_UNKNOWN', {
      id: wanted,
      cluster,
      matches: found.length,
      known: listed(found.length > 1 ? found : ids),
    });
  return readRun(workdir, cluster, id);
}

const listed = (ids: readonly string[]) =>
  ids.length > LAST ? `${ids.slice(0, LAST).join(', ')}, …` : ids.join(', ') || 'none';
const LAST = 5;
