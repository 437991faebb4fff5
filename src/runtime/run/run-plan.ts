import { exitOf } from '../../common/errors/errors.ts';
import { masked } from '../../common/secret.ts';
import { VERSION } from '../../common/version.ts';
import { tellAll, type Subscriber } from '../../engine/event/event.ts';
import { openEventStore } from '../../engine/event/event-store.ts';
import { execute } from '../../engine/execute.ts';
import type { MetHost } from '../../engine/host-run.ts';
import { openJournal } from '../../engine/journal/journal.ts';
import { jsonLog } from '../../engine/event/json-log.ts';
import { localPlace } from '../../engine/lock/local-lock.ts';
import { ownName } from '../../engine/lock/holder.ts';
import { lockCluster, type ClusterLock } from '../../engine/lock/lock.ts';
import { remotePlace } from '../../engine/lock/host-lock.ts';
import type { RunResult } from '../../engine/result.ts';
import type { JournalRecord } from '../../engine/journal/record.ts';
import { resumeJournal } from '../../engine/journal/resume.ts';
import { applyRecord } from '../../engine/journal/run-state.ts';
import type { Stop } from '../../engine/stop.ts';
import { outline } from '../../plan/outline.ts';
import { nodesOf, stepsByHost, type ExecutionGraph } from '../../plan/graph.ts';
import {
  eventsPath,
  lockFolder,
  newRunId,
  readRunInfo,
  runPaths,
  writeRunInfo,
  type RunInfo,
  type RunPaths,
} from '../../state/runs.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { awaitEarlier } from './await-earlier-run.ts';
import { forgetKept, leaveHosts, type Ended } from './clean-up-hosts.ts';
import { digestOf } from './cluster-digest.ts';
import { openLog } from './log-file.ts';
import { hostLock } from '../session/host-paths.ts';
import type { Session } from '../session/session.ts';

/** How a plan is to be run. */
export interface RunPlanOptions {
  readonly workdir: string;
  /** What the user called: "create cluster". */
  readonly command: string;
  /** What of the plan was asked for: "--nodes node1", empty for all of it. */
  readonly selection: string;
  /** The whole command line, without secrets. */
  readonly line: string;
  /** The command that goes on with this run. */
  readonly goOn: string;
  /** The run to go on with; a new one if there is none. */
  readonly resume: string | undefined;
  readonly rollback: boolean;
  /** The run ends when more hosts than these are set aside; any number when undefined. */
  readonly maxSetAside?: number | undefined;
  /** The cluster goes: once all is done, hosts keep nothing of it, not even where its lock was. */
  readonly leaves: boolean;
  readonly subscribers: readonly Subscriber[];
  readonly stop: Stop;
}

/** How a run ended, and where it is kept. */
export interface PlanResult extends RunResult {
  readonly run: string;
  readonly paths: RunPaths;
}

/** Runs a plan under the lock of its cluster, with its journal, log and events on disk. */
export async function runPlan(session: Session, graph: ExecutionGraph, options: RunPlanOptions): Promise<PlanResult> {
  const { name: cluster } = session.cluster;
  const { workdir, stop } = options;
  const id = options.resume ?? newRunId();
  const paths = runPaths(workdir, cluster, id);
  await using lock = await takeLock(session, graph, id, options);
  lock.lost.addEventListener('abort', () => stop.request());
  await ensureFolder(paths.folder, 0o700);
  const { journal, state } = await openRun(paths, lock, options.resume !== undefined);
  await using _ = journal;
  // Ahead of the first record: a run that is killed there can be found, too.
  await writeRunInfo(paths, await infoOf(session, graph, paths, id, options));
  await writeFileAtomically(paths.plan, `${outline(graph)}\n`, 0o600);
  const source: JournalRecord = { type: 'source', digest: digestOf(session.cluster) };
  if (state) applyRecord(state, source);
  journal.append(source);
  await using log = openLog(paths.log);
  using events = await openEventStore(eventsPath(workdir), masked);
  const result = await execute(graph, {
    run: { id, cluster },
    contextFor: session.stepContexts(id, lock),
    meet: async (host) => {
      await lock.join(host.name).catch((error: unknown) => {
        session.unreached.set(host.name, error);
        throw error;
      });
      const free: MetHost['free'] = (signal, say) => awaitEarlier(session.connector(host), cluster, { signal, say });
      const { facts } = await session.reach(host);
      return { bootId: () => session.connector(host).bootId ?? facts.bootId, free };
    },
    journal,
    ...(state && { state }),
    report: tellAll(...options.subscribers, jsonLog(log.write, masked), ...(events ? [events.subscriber] : [])),
    stop,
    rollback: options.rollback,
    ...(options.maxSetAside !== undefined && { maxSetAside: options.maxSetAside }),
    goOn: options.goOn,
    fence: lock.fence,
  });
  if (result.outcome === 'done') await clear(session, options, { workdir, run: id, lock, changed: result.changed });
  const lost = lock.lost.aborted && {
    outcome: 'failed' as const,
    error: lock.lost.reason,
    exit: exitOf(lock.lost.reason),
  };
  return { ...result, ...lost, run: id, paths };
}

const clear = (session: Session, { leaves }: RunPlanOptions, ended: Ended): Promise<void> =>
  leaves ? leaveHosts(session, ended.lock) : forgetKept(session, ended);

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
    hosts: hosts.map((host) => remotePlace(session.connector(host), hostLock(cluster), () => session.reach(host))),
  });
}

async function openRun({ journal: path }: RunPaths, lock: ClusterLock, resume: boolean) {
  const guard = () => lock.check();
  if (!resume) return { journal: await openJournal({ path, guard }), state: undefined };
  return resumeJournal({ path, guard });
}

/** A run that goes on keeps when it was first begun. */
async function infoOf(
  { cluster }: Session,
  graph: ExecutionGraph,
  paths: RunPaths,
  id: string,
  { command, selection, line, goOn }: RunPlanOptions,
): Promise<RunInfo> {
  return {
    id,
    cluster: cluster.name,
    pipeline: graph.name,
    command,
    selection,
    line: masked(line),
    owner: ownName(),
    pid: process.pid,
    version: VERSION,
    started: (await readRunInfo(paths))?.started ?? new Date().toISOString(),
    hosts: Object.fromEntries(stepsByHost(nodesOf(graph))),
    goOn: masked(goOn),
  };
}
