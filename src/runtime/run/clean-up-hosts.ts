import type { Host } from '../../common/host.ts';
import { quote } from '../../connector/quote.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import { sh } from '../../runner/command.ts';
import { listRuns } from '../../state/runs.ts';
import { fencedConnector } from '../session/fenced-connector.ts';
import { readRun } from '../history/read-run.ts';
import { hostFolder, hostLock, keepFolder } from '../session/host-paths.ts';
import type { Session } from '../session/session.ts';

/** A successful run that still holds its lock. */
export interface SuccessfulRun {
  readonly workdir: string;
  readonly run: string;
  readonly lock: ClusterLock;
  /** Names of the changed hosts. */
  readonly changed: readonly string[];
}

type HostAccess = Pick<Session, 'hosts' | 'connector'> & { readonly cluster: { readonly name: string } };

/** Removes the rollback data of this run and of earlier runs that succeeded. Data of unfinished runs stays. */
export async function removeRollbackData(
  session: HostAccess,
  { workdir, run, lock, changed }: SuccessfulRun,
): Promise<void> {
  const { name: cluster } = session.cluster;
  const folder = keepFolder(cluster);
  const known = new Set(await listRuns(workdir, cluster));
  const results = new Map<string, Promise<boolean>>();
  const readIsDone = async (id: string) => known.has(id) && (await readRun(workdir, cluster, id)).status === 'done';
  // Read once for all hosts, because a journal may be long.
  const isDone = (id: string) => {
    const result = results.get(id) ?? readIsDone(id);
    results.set(id, result);
    return result;
  };
  const cleanUp = async (host: Host) => {
    const connector = fencedConnector(session.connector(host), { cluster, lock, folder: hostLock(cluster) });
    const remove = (id: string) => sh`rm -rf -- ${`${folder}/${id}`}`.text;
    const { stdout } = await connector.exec(
      `${remove(run)}; ls ${quote(folder)} 2>/dev/null; rmdir ${quote(folder)} 2>/dev/null`,
    );
    for (const id of stdout.split('\n').filter(Boolean)) if (await isDone(id)) await connector.exec(remove(id));
  };
  await Promise.allSettled(session.hosts.all.filter(({ name }) => changed.includes(name)).map(cleanUp));
}

/**
 * Removes everything kubexm keeps for a cluster on hosts that left it. The lock itself is removed on release. Uses queries because a
 * supervised command would leave a folder behind.
 */
export async function removeClusterData(
  { cluster, hosts, connector }: HostAccess,
  lock: ClusterLock,
  removed: ReadonlySet<string> = new Set(hosts.all.map(({ name }) => name)),
): Promise<void> {
  const folder = quote(hostFolder(cluster.name));
  const remove = async (host: Host) => {
    const number = lock.numberOn(host.name);
    if (number === undefined) return;
    const held = quote(`${hostLock(cluster.name)}/${number}`);
    const clear = `find ${folder} -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf -- {} +`;
    await connector(host).query(`[ ! -e ${held} ] || ${clear}; rmdir /var/lib/kubexm/run 2>/dev/null; true`);
  };
  await Promise.allSettled(hosts.all.filter(({ name }) => removed.has(name)).map(remove));
  lock.removeOnRelease(removed);
}
