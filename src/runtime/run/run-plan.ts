import { exitOf } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import { broadcast, type Subscriber } from '../../engine/event/event.ts';
import { openEventStore } from '../../engine/event/event-store.ts';
import { execute } from '../../engine/execute.ts';
import type { ConnectedHost } from '../../engine/host-state.ts';
import { jsonLog } from '../../engine/event/json-log.ts';
import { localLockStore } from '../../engine/lock/local-lock.ts';
import { lockCluster, type ClusterLock } from '../../engine/lock/lock.ts';
import { hostLockStore } from '../../engine/lock/host-lock.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Stop } from '../../engine/stop.ts';
import type { ExecutionGraph } from '../../plan/graph.ts';
import { eventsPath, lockFolder, newRunId, runPaths, type RunPaths } from '../../state/runs.ts';
import { ensureStateFolder } from '../../state/workdir.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { historyLimits, pruneRuns, type PruneOptions } from '../history/prune-runs.ts';
import { hostLock } from '../session/host-paths.ts';
import { encryptExistingKeys } from '../session/protect-keys.ts';
import type { Session } from '../session/session.ts';
import { awaitEarlierRun } from './await-earlier-run.ts';
import { removeClusterData, removeRollbackData } from './clean-up-hosts.ts';
import { openLog } from './log-file.ts';
import { lockedHosts } from './locked-hosts.ts';
import { openRunJournal, recordRun, type RunDetails } from './record-run.ts';

/** Options for running a plan. */
export interface RunPlanOptions extends RunDetails {
  readonly workdir: string;
  /** ID of the run to resume; undefined starts a new one. */
  readonly resume: string | undefined;
  /** Roll back failed tasks. */
  readonly rollback: boolean;
  /** Abort the run if more than this many hosts are quarantined; no limit if undefined. */
  readonly maxQuarantined?: number | undefined;
  /** The plan deletes the cluster: on success, remove everything kubexm keeps on its hosts, including the lock. */
  readonly removesCluster: boolean;
  /** Hosts that the plan removes from the cluster: on success, remove everything kubexm keeps there, including the lock. */
  readonly removesHosts?: readonly string[];
  readonly subscribers: readonly Subscriber[];
  readonly stop: Stop;
}

/** The result of a run, and the paths of its files. */
export interface PlanResult extends RunResult {
  readonly run: string;
  readonly paths: RunPaths;
}

/** Runs a plan while holding the cluster lock, and writes its journal, log and events to disk. */
export async function runPlan(session: Session, graph: ExecutionGraph, options: RunPlanOptions): Promise<PlanResult> {
  const { name: cluster } = session.cluster;
  const { workdir, stop } = options;
  const id = options.resume ?? newRunId();
  const limits = historyLimits();
  const paths = runPaths(workdir, cluster, id);
  await ensureStateFolder(workdir);
  await using lock = await takeLock(session, graph, id, options);
  lock.lost.addEventListener('abort', () => stop.request());
  await encryptExistingKeys(session.cluster, workdir);
  await ensureFolder(paths.folder, 0o700);
  const { journal, state } = await openRunJournal(paths, lock, options.resume !== undefined);
  await using _ = journal;
  await recordRun(session.cluster, graph, { id, paths, journal, state, details: options });
  await using log = openLog(paths.log);
  using events = await openEventStore(eventsPath(workdir));
  const result = await execute(graph, {
    run: { id, cluster },
    contextFor: session.stepContexts(id, lock),
    connect: (host) => prepareHost(session, lock, host),
    journal,
    ...(state && { state }),
    report: broadcast(...options.subscribers, jsonLog(log.write), ...(events ? [events.subscriber] : [])),
    stop,
    rollback: options.rollback,
    ...(options.maxQuarantined !== undefined && { maxQuarantined: options.maxQuarantined }),
    resumeCommand: options.resumeCommand,
    fence: lock.fence,
  });
  if (result.outcome === 'done') await cleanUpHosts(session, lock, id, result.changed, options);
  if (!lock.lost.aborted) await prune({ workdir, cluster, limits, events });
  const lost = lock.lost.aborted && {
    outcome: 'failed' as const,
    error: lock.lost.reason,
    exit: exitOf(lock.lost.reason),
  };
  return { ...result, ...lost, run: id, paths };
}

async function cleanUpHosts(
  session: Session,
  lock: ClusterLock,
  run: string,
  changed: readonly string[],
  { workdir, removesCluster, removesHosts = [] }: RunPlanOptions,
): Promise<void> {
  if (removesCluster) return removeClusterData(session, lock);
  const removed = new Set(removesHosts);
  await removeRollbackData(session, { workdir, run, lock, changed: changed.filter((name) => !removed.has(name)) });
  if (removed.size > 0) await removeClusterData(session, lock, removed);
}

/** A failure only emits a warning: the run itself has ended. */
const prune = (options: PruneOptions) =>
  pruneRuns(options).catch((error: unknown) => process.emitWarning(`Could not remove old runs: ${String(error)}`));

function takeLock(
  session: Session,
  graph: ExecutionGraph,
  run: string,
  { workdir, command }: RunPlanOptions,
): Promise<ClusterLock> {
  const { name: cluster } = session.cluster;
  const hosts = lockedHosts(session.hosts, graph);
  return lockCluster({
    cluster,
    what: command,
    run,
    local: localLockStore(lockFolder(workdir, cluster)),
    hosts: hosts.map((host) => hostLockStore(session.connector(host), hostLock(cluster), () => session.reach(host))),
  });
}

/** Locks and connects to a host before its first step. */
async function prepareHost(session: Session, lock: ClusterLock, host: Host): Promise<ConnectedHost> {
  await lock.join(host.name).catch((error: unknown) => {
    session.unreached.set(host.name, error);
    throw error;
  });
  const { facts } = await session.reach(host);
  const connector = session.connector(host);
  return {
    bootId: () => connector.bootId ?? facts.bootId,
    idle: (signal, say) => awaitEarlierRun(connector, session.cluster.name, { signal, say }),
  };
}
