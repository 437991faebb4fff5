import { createHash } from 'node:crypto';
import { sortKeys } from '../../common/json.ts';
import { sanitize } from '../../common/sanitize.ts';
import { VERSION } from '../../common/version.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { openJournal, type Journal } from '../../engine/journal/journal.ts';
import type { JournalRecord } from '../../engine/journal/record.ts';
import { resumeJournal } from '../../engine/journal/resume.ts';
import { applyRecord, type RunState } from '../../engine/journal/run-state.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import { nodesOf, stepsByHost, type ExecutionGraph } from '../../plan/graph.ts';
import { outline } from '../../plan/outline.ts';
import { readRunInfo, writeRunInfo, type RunPaths } from '../../state/runs.ts';
import { userAtHost } from '../../util/process-identity.ts';
import { writeFileAtomically } from '../../util/write-file.ts';

/** What the user ran, as shown by `get runs` and `describe run`. */
export interface RunDetails {
  /** "create cluster" */
  readonly command: string;
  /** The selected part of the plan: "--nodes node1", empty for the whole plan. */
  readonly selection: string;
  /** The full command line, without secrets. */
  readonly line: string;
  /** The command that resumes this run. */
  readonly resumeCommand: string;
}

/** A run whose journal is open. */
export interface OpenRun {
  readonly id: string;
  readonly paths: RunPaths;
  readonly journal: Journal;
  /** Replayed from the journal; undefined for a new run. */
  readonly state: RunState | undefined;
  readonly details: RunDetails;
}

/** Opens the journal of a run, which refuses records once the cluster lock is lost. */
export async function openRunJournal({ journal: path }: RunPaths, lock: ClusterLock, resume: boolean) {
  const guard = () => lock.check();
  if (!resume) return { journal: await openJournal({ path, guard }), state: undefined };
  return resumeJournal({ path, guard });
}

/** Writes the run info and the plan before the first journal record, so that even a run killed right away is listed. */
export async function recordRun(cluster: Cluster, graph: ExecutionGraph, run: OpenRun): Promise<void> {
  const { id, paths, journal, state, details } = run;
  await writeRunInfo(paths, {
    id,
    cluster: cluster.name,
    pipeline: graph.name,
    command: details.command,
    selection: details.selection,
    line: details.line,
    owner: userAtHost(),
    pid: process.pid,
    version: VERSION,
    // A resumed run keeps its first start time.
    started: (await readRunInfo(paths))?.started ?? new Date().toISOString(),
    hosts: Object.fromEntries(stepsByHost(nodesOf(graph))),
    goOn: details.resumeCommand,
  });
  await writeFileAtomically(paths.plan, `${sanitize(outline(graph))}\n`, 0o600);
  const source: JournalRecord = { type: 'source', digest: clusterDigest(cluster) };
  if (state) applyRecord(state, source);
  journal.append(source);
}

/**
 * Changes when the cluster file or the kubexm version changes, so that a resumed run checks completed steps again. Covers
 * the sources of secrets, not their values.
 */
export const clusterDigest = (cluster: Cluster): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, cluster], sortKeys))
    .digest('hex');
