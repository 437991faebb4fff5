import type { Host } from '../../common/host.ts';
import { quote } from '../../connector/quote.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import { sh } from '../../runner/command.ts';
import { runsOf } from '../../state/runs.ts';
import { fencedConnector } from '../session/fenced-connector.ts';
import { readRun } from '../history/read-run.ts';
import { hostFolder, hostLock, keepFolder } from '../session/host-paths.ts';
import type { Session } from '../session/session.ts';

/** What ended well, and under which lock. */
export interface Ended {
  readonly workdir: string;
  readonly run: string;
  readonly lock: ClusterLock;
  /** Names of the hosts that it changed. */
  readonly changed: readonly string[];
}

type Place = Pick<Session, 'hosts' | 'connector'> & { readonly cluster: { readonly name: string } };

/** What a run kept to undo itself goes when it ended well; what others kept stays, unless they ended well, too. */
export async function forgetKept(session: Place, { workdir, run, lock, changed }: Ended): Promise<void> {
  const { name: cluster } = session.cluster;
  const folder = keepFolder(cluster);
  const known = new Set(await runsOf(workdir, cluster));
  const asked = new Map<string, Promise<boolean>>();
  const ask = async (id: string) => known.has(id) && (await readRun(workdir, cluster, id)).status === 'done';
  // Once for all hosts: a journal may be long.
  const isDone = (id: string) => {
    const answer = asked.get(id) ?? ask(id);
    asked.set(id, answer);
    return answer;
  };
  const forget = async (host: Host) => {
    const way = fencedConnector(session.connector(host), { cluster, lock, folder: hostLock(cluster) });
    const remove = (id: string) => sh`rm -rf -- ${`${folder}/${id}`}`.text;
    const { stdout } = await way.exec(
      `${remove(run)}; ls ${quote(folder)} 2>/dev/null; rmdir ${quote(folder)} 2>/dev/null`,
    );
    for (const id of stdout.split('\n').filter(Boolean)) if (await isDone(id)) await way.exec(remove(id));
  };
  await Promise.allSettled(session.hosts.all.filter(({ name }) => changed.includes(name)).map(forget));
}

/**
 * Takes all that belongs to a cluster from its hosts, while its lock is held there; that goes as it is let go. By looks:
 * running something supervised would leave a folder of its own.
 */
export async function leaveHosts({ cluster, hosts, connector }: Place, lock: ClusterLock): Promise<void> {
  const folder = quote(hostFolder(cluster.name));
  const leave = async (host: Host) => {
    const number = lock.numberOn(host.name);
    if (number === undefined) return;
    const held = quote(`${hostLock(cluster.name)}/${number}`);
    const clear = `find ${folder} -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf -- {} +`;
    await connector(host).query(`[ ! -e ${held} ] || ${clear}; rmdir /var/lib/kubexm/run 2>/dev/null; true`);
  };
  await Promise.allSettled(hosts.all.map(leave));
  lock.leave();
}
