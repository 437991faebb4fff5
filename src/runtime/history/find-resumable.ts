import { listRuns } from '../../state/runs.ts';
import { readRun, type RunRecord } from './read-run.ts';

/** Whose runs are looked for. */
export interface ResumeQuestion {
  readonly workdir: string;
  readonly cluster: string;
  readonly pipeline: string;
  /** "create cluster" */
  readonly command: string;
  /** "--nodes node1", empty for the whole plan. */
  readonly selection: string;
}

/** What there is to go on with: a run that did not end well, one that did, or none. */
export type Resumable =
  | { readonly type: 'open' | 'ended'; readonly run: RunRecord }
  /** Its end would not be the end of what is asked for, or the other way round. */
  | { readonly type: 'another'; readonly run: RunRecord; readonly selection: string }
  | { readonly type: 'none' }
  /** What was done before it cannot be taken for granted any more. */
  | { readonly type: 'overtaken'; readonly by: RunRecord };

/** Looks at the newest run of a command. One of another pipeline that changed hosts since then comes between. */
export async function findResumable(question: ResumeQuestion): Promise<Resumable> {
  const { workdir, cluster, pipeline, command } = question;
  for (const id of await listRuns(workdir, cluster)) {
    const run = await readRun(workdir, cluster, id);
    if (run.pipeline !== pipeline) {
      if (run.changed) return { type: 'overtaken', by: run };
    } else if ((run.info?.command ?? command) === command) return ofCommand(run, question);
  }
  return { type: 'none' };
}

function ofCommand(run: RunRecord, question: ResumeQuestion): Resumable {
  const selection = run.info?.selection ?? question.selection;
  if (selection !== question.selection) return { type: 'another', run, selection };
  return { type: run.status === 'done' ? 'ended' : 'open', run };
}
