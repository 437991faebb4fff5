import { listRuns } from '../../state/runs.ts';
import { readRun, type RunRecord } from './read-run.ts';

/** The command and selection to resume. */
export interface ResumeQuery {
  readonly workdir: string;
  readonly cluster: string;
  readonly pipeline: string;
  /** "create cluster" */
  readonly command: string;
  /** "--nodes node1", empty for the whole plan. */
  readonly selection: string;
}

/** The newest run of a command, and whether it can be resumed. */
export type Resumable =
  | { readonly type: 'unfinished' | 'succeeded'; readonly run: RunRecord }
  /** The newest run covers another part of the plan. */
  | { readonly type: 'other-selection'; readonly run: RunRecord; readonly selection: string }
  | { readonly type: 'none' }
  /** Another pipeline changed hosts since then, so the earlier progress is no longer valid. */
  | { readonly type: 'superseded'; readonly by: RunRecord };

/** Finds the newest run of a command. A later run of another pipeline that changed hosts supersedes it. */
export async function findResumable(query: ResumeQuery): Promise<Resumable> {
  const { workdir, cluster, pipeline, command } = query;
  for (const id of await listRuns(workdir, cluster)) {
    const run = await readRun(workdir, cluster, id);
    if (run.pipeline !== pipeline) {
      if (run.changed) return { type: 'superseded', by: run };
    } else if ((run.info?.command ?? command) === command) return classify(run, query);
  }
  return { type: 'none' };
}

function classify(run: RunRecord, query: ResumeQuery): Resumable {
  const selection = run.info?.selection ?? query.selection;
  if (selection !== query.selection) return { type: 'other-selection', run, selection };
  return { type: run.status === 'done' ? 'succeeded' : 'unfinished', run };
}
