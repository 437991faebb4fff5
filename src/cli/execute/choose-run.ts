import { fail } from '../../common/errors/errors.ts';
import { findResumable, type Resumable, type ResumeQuery } from '../../runtime/history/find-resumable.ts';
import type { RunStatus } from '../../runtime/history/read-run.ts';
import type { Console } from '../console.ts';

/** A new run (without an ID), an earlier run to resume, or nothing to do because the last run succeeded. */
export type ChosenRun = { readonly type: 'run'; readonly id: string | undefined } | { readonly type: 'nothing' };

/**
 * Selects the last unfinished run of this command with --resume. Otherwise selects a new run and mentions the
 * unfinished run. With `canStart`, --resume selects a new run if there is no unfinished one.
 */
export async function chooseRun(
  { options, console }: ChooseCall,
  { canStart = false, ...question }: ResumeQuery & { readonly canStart?: boolean },
): Promise<ChosenRun> {
  const { cluster, command, pipeline } = question;
  const found = await findResumable(question);
  if (!options.resume) {
    const end = found.type === 'unfinished' ? HOW_IT_ENDED[found.run.status] : undefined;
    if (found.type === 'unfinished' && end)
      console.note(`The last run (${found.run.id}) ${end}. Use --resume to continue it; starting a new run.`, 'note');
    return NEW_RUN;
  }
  if (canStart && isOver(found)) return NEW_RUN;
  switch (found.type) {
    case 'unfinished':
      if (found.run.damage) throw found.run.damage;
      return { type: 'run', id: found.run.id };
    case 'succeeded':
      if (options.output === 'json') console.json({ outcome: 'done', exit: 0, run: found.run.id });
      else console.note(`Nothing to resume: the last run of ${command} (${found.run.id}) succeeded.`);
      return { type: 'nothing' };
    case 'other-selection': {
      const { id, info } = found.run;
      const was = found.selection || 'the whole plan';
      const wanted = question.selection || 'the whole plan';
      throw fail('RUN_OF_ANOTHER_SELECTION', { run: id, was, wanted, resumeCommand: info?.goOn ?? '' });
    }
    case 'none':
      throw fail('RUN_NOT_FOUND', { cluster, command });
    case 'superseded':
      throw fail('RUN_OF_ANOTHER_PIPELINE', { run: found.by.id, pipeline: found.by.pipeline, wanted: pipeline });
  }
}

/** Whether no run of the command is unfinished. */
const isOver = (found: Resumable) =>
  found.type !== 'unfinished' && (found.type !== 'other-selection' || found.run.status === 'done');

const NEW_RUN: ChosenRun = { type: 'run', id: undefined };

interface ChooseCall {
  readonly options: { readonly resume: boolean; readonly output: 'text' | 'json' };
  readonly console: Console;
}

/** Empty for runs that cannot be resumed. A run in progress is not mentioned, because a new run fails with LOCKED. */
const HOW_IT_ENDED: Readonly<Record<RunStatus, string>> = {
  done: '',
  running: '',
  damaged: '',
  died: 'died',
  failed: 'failed',
  partial: 'quarantined hosts',
  interrupted: 'was interrupted',
};
