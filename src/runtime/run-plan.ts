import { fail, KubexmError } from '../common/errors.ts';
import { EXIT } from '../common/exit-codes.ts';
import { masked } from '../common/secret.ts';
import { tellAll, type Subscriber } from '../engine/event.ts';
import { openEventStore } from '../engine/event-store.ts';
import { execute } from '../engine/execute.ts';
import { openJournal } from '../engine/journal.ts';
import { jsonLog } from '../engine/json-log.ts';
import { localPlace } from '../engine/lock/local-place.ts';
import { lockCluster, type ClusterLock } from '../engine/lock/lock.ts';
import { remotePlace } from '../engine/lock/remote-place.ts';
import type { RunResult } from '../engine/result.ts';
import { resumeJournal } from '../engine/resume.ts';
import type { Stop } from '../engine/stop.ts';
import { outline } from '../plan/outline.ts';
import { nodesOf, type ExecutionGraph } from '../plan/graph.ts';
import { sh } from '../runner/command.ts';
import { eventsPath, latestRun, lockFolder, newRunId, runPaths, type RunPaths } from '../state/runs.ts';
import { writeFileAtomically } from '../util/write-file.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { openLog } from './log-file.ts';
import { hostFolder, keepFolder, type Session } from './session.ts';

/** How a plan is to be run. */
export interface RunPlanOptions {
  readonly workdir: string;
  /** What the user called: "create cluster". */
  readonly command: string;
  /** The command that goes on with this run. */
  readonly goOn: string;
  readonly resume: boolean;
  readonly rollback: boolean;
  /** The cluster goes: once all is done, hosts keep nothing of it, not even where its lock was. */
  readonly leaves?: boolean;
  readonly subscribers: readonly Subscriber[];
  readonly stop: Stop;
}

/** Runs a plan under the lock of its cluster, with its journal, log and events on disk. */
export async function runPlan(session: Session, graph: ExecutionGraph, options: RunPlanOptions): Promise<RunResult> {
  const result = await runLocked(session, graph, options);
  if (options.leaves && result.outcome === 'done') await leaveHosts(session);
  return result;
}

async function runLocked(session: Session, graph: ExecutionGraph, options: RunPlanOptions): Promise<RunResult> {
  const { name: cluster } = session.cluster;
  const { workdir, stop } = options;
  const id = options.resume ? await latestRun(workdir, cluster) : newRunId();
  const paths = runPaths(workdir, cluster, id);
  await using lock = await takeLock(session, graph, id, options);
  lock.lost.addEventListener('abort', () => stop.request());
  await ensureFolder(paths.folder, 0o700);
  const { journal, state } = await openRun(graph, paths, id, lock, options.resume);
  await using _ = journal;
  await writeFileAtomically(paths.plan, `${outline(graph)}\n`, 0o600);
  await using log = openLog(paths.log);
  using events = await openEventStore(eventsPath(workdir), masked);
  const result = await execute(graph, {
    run: { id, cluster },
    contextFor: session.contextsOf(id),
    meet: async (host) => {
      await lock.join(host.name);
      return session.meet(host);
    },
    journal,
    ...(state && { state }),
    report: tellAll(...options.subscribers, jsonLog(log.write, masked), ...(events ? [events.subscriber] : [])),
    stop,
    rollback: options.rollback,
    goOn: options.goOn,
    fence: lock.fence,
  });
  if (result.outcome === 'done') await forgetKept(session, result.changed);
  return lock.lost.aborted ? { ...result, error: lock.lost.reason, exit: exitOf(lock.lost.reason) } : result;
}

function takeLock(
  session: Session,
  graph: ExecutionGraph,
  run: string,
  { workdir, command }: RunPlanOptions,
): Promise<ClusterLock> {
  const { name: cluster } = session.cluster;
  const used = new Set(nodesOf(graph).map(({ host }) => host.name));
  const hosts = session.hosts.all.filter(({ name }) => used.has(name));
  return lockCluster({
    cluster,
    what: command,
    run,
    local: localPlace(lockFolder(workdir, cluster)),
    hosts: hosts.map((host) =>
      remotePlace(session.connector(host), `${hostFolder(cluster)}/lock`, () => session.reach(host)),
    ),
  });
}

async function openRun(
  graph: ExecutionGraph,
  { journal: path }: RunPaths,
  run: string,
  lock: ClusterLock,
  resume: boolean,
) {
  const guard = () => lock.check();
  if (!resume) return { journal: await openJournal({ path, guard }), state: undefined };
  const resumed = await resumeJournal({ path, guard });
  const { pipeline } = resumed.state;
  if (pipeline === graph.name) return resumed;
  await resumed.journal[Symbol.asyncDispose]();
  throw fail('RUN_OF_ANOTHER_PIPELINE', { run, pipeline: pipeline ?? 'unknown', wanted: graph.name });
}

/** A run that ended well is not undone any more. */
async function forgetKept(session: Session, changed: readonly string[]): Promise<void> {
  const folder = keepFolder(session.cluster.name);
  const hosts = session.hosts.all.filter(({ name }) => changed.includes(name));
  await Promise.allSettled(hosts.map(async (host) => (await session.reach(host)).run(sh`rm -rf -- ${folder}`)));
}

/** By looks: running something supervised would leave a folder of its own. */
async function leaveHosts({ cluster, hosts, connector }: Session): Promise<void> {
  const script = `rm -rf -- ${hostFolder(cluster.name)}; cd /var/lib && rmdir -p kubexm/clusters kubexm/run 2>/dev/null; true`;
  await Promise.allSettled(hosts.all.map((host) => connector(host).look(script)));
}

const exitOf = (error: unknown) => (error instanceof KubexmError ? error.exit : EXIT.internal);
