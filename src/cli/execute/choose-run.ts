import { fail } from '../../common/errors/errors.ts';
import { findResumable, type ResumeQuestion } from '../../runtime/history/find-resumable.ts';
import type { RunStatus } from '../../runtime/history/read-run.ts';
import type { Console } from '../console.ts';
import { jsonText } from './result-json.ts';

/** Which run a command is: a new one, an earlier one that goes on, or none because that ended well. */
export type ChosenRun = { readonly type: 'run'; readonly id: string | undefined } | { readonly type: 'nothing' };

/** With --resume the last run of this command that did not end well; without it a new one, and a word about that. */
export async function chooseRun({ options, console }: ChooseCall, question: ResumeQuestion): Promise<ChosenRun> {
  const { cluster, command, pipeline } = question;
  const found = await findResumable(question);
  if (!options.resume) {
    const ending = found.type === 'open' ? ENDING[found.run.status] : undefined;
    if (found.type === 'open' && ending)
      console.note(`The last run, ${found.run.id}, ${ending}. --resume goes on with it; this one begins anew.`, 'note');
    return { type: 'run', id: undefined };
  }
  switch (found.type) {
    case 'open':
      if (found.run.damage) throw found.run.damage;
      return { type: 'run', id: found.run.id };
    case 'ended':
      if (options.output === 'json') console.print(jsonText({ outcome: 'done', exit: 0, run: found.run.id }));
      else console.note(`There is nothing to go on with: the last run of ${command}, ${found.run.id}, ended well.`);
      return { type: 'nothing' };
    case 'another': {
      const { id, info } = found.run;
      const was = found.selection || 'the whole plan';
      const wanted = question.selection || 'the whole plan';
      throw fail('RUN_OF_ANOTHER_SELECTION', { run: id, was, wanted, goOn: info?.goOn ?? '' });
    }
    case 'none':
      throw fail('RUN_NOT_FOUND', { cluster, command });
    case 'overtaken':
      throw fail('RUN_OF_ANOTHER_PIPELINE', { run: found.by.id, pipeline: found.by.pipeline, wanted: pipeline });
  }
}

interface ChooseCall {
  readonly options: { readonly resume: boolean; readonly output: 'text' | 'json' };
  readonly console: Console;
}

/** Empty where there is nothing to say: a run under way is told by its lock, and a damaged one cannot go on. */
const ENDING: Readonly<Record<RunStatus, string>> = {
  done: '',
  running: '',
  damaged: '',
  died: 'died',
  failed: 'failed',
  partial: 'left hosts out',
  interrupted: 'was stopped',
};
