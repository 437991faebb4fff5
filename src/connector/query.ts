import { fail } from '../common/errors/errors.ts';
import type { Connector, ExecResult } from './connector.ts';
import { frameScanner, newMarker } from './framing.ts';
import { readAll, retryAfterDrop } from './output.ts';
import { quote } from './quote.ts';
import type { OpenShell } from './shell.ts';

/** Gathers the looks of one tick, sends them as one script, and hands each its own part of the answer. */
export function batchQueries(host: string, open: OpenShell): Connector['query'] {
  const gathered = new Map<boolean, Question[]>();
  const send = (root: boolean) => {
    const questions = (gathered.get(root) ?? []).filter(({ signal }) => !signal?.aborted);
    gathered.delete(root);
    if (questions.length > 0) void ask(host, open, root, questions);
  };
  return (script, { root = true, signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const forget = () => signal?.removeEventListener('abort', onAbort);
      const question: Question = {
        script,
        signal,
        answer: (result) => (forget(), resolve(result)),
        refuse: (error) => (forget(), reject(error)),
      };
      const waiting = gathered.get(root);
      if (waiting) return void waiting.push(question);
      gathered.set(root, [question]);
      // After the promises that are already settled have run: what they look at belongs to the same tick.
      void Promise.resolve().then(() => process.nextTick(send, root));
    });
}

interface Question {
  readonly script: string;
  readonly signal: AbortSignal | undefined;
  answer(result: ExecResult): void;
  refuse(error: unknown): void;
}

async function ask(host: string, open: OpenShell, root: boolean, questions: readonly Question[]): Promise<void> {
  const signals = questions.flatMap(({ signal }) => signal ?? []);
  // The batch is given up only when nobody waits for it any more.
  const all = signals.length < questions.length ? undefined : allAborted(signals);
  const signal = all?.signal;
  try {
    const results = await retryAfterDrop(host, 'a look', () => askOnce(host, open, root, questions, signal));
    questions.forEach((question, index) => question.answer(results[index]!));
  } catch (error) {
    for (const question of questions) question.refuse(error);
  } finally {
    all?.forget();
  }
}

async function askOnce(
  host: string,
  open: OpenShell,
  root: boolean,
  questions: readonly Question[],
  signal: AbortSignal | undefined,
): Promise<readonly ExecResult[]> {
  const marker = newMarker();
  const shell = await open(
    batchScript(
      questions.map(({ script }) => script),
      marker,
    ),
    { root, signal },
  );
  const giveUp = () => shell.close();
  signal?.addEventListener('abort', giveUp, { once: true });
  const [stdout, stderr, exit] = await Promise.all([readAll(shell.stdout), readAll(shell.stderr), shell.closed]);
  signal?.removeEventListener('abort', giveUp);
  signal?.throwIfAborted();
  const results = parseResults(stdout, stderr, marker);
  if (results.length === questions.length) return results;
  if (exit !== undefined) throw fail('COMMAND_LOST', { host, reason: 'something ended the shell that looked' });
  throw fail('CONNECTION_LOST', { host, doing: 'a look', reason: 'the answer is not whole' });
}

/** A script that runs each look in a shell of its own and ends the output of each with a frame. */
export const batchScript = (scripts: readonly string[], marker: string): string =>
  [
    'exec </dev/null',
    `kubexm_look() { (eval "$1"); printf '%s %s\\n' ${marker} $?; printf '%s\\n' ${marker} >&2; }`,
    ...scripts.map((script) => `kubexm_look ${quote(script)}`),
  ].join('\n');

/** What each look printed, and its exit code; looks whose end is missing are left out. */
export function parseResults(stdout: Buffer, stderr: Buffer, marker: string): readonly ExecResult[] {
  const out = parts(stdout, marker);
  const err = parts(stderr, marker);
  return out
    .slice(0, err.length)
    .map(({ text, frame }, index) => ({ exit: Number(frame), stdout: text, stderr: err[index]?.text ?? '' }));
}

function parts(output: Buffer, marker: string): readonly { readonly text: string; readonly frame: string }[] {
  const { data, frames } = frameScanner(marker)(output);
  return frames.map(({ at, text }, index) => ({
    text: data.toString('utf8', frames[index - 1]?.at ?? 0, at),
    frame: text,
  }));
}

/** Aborted when all of them are; they are listened to until `forget`, for they may serve others later. */
function allAborted(all: readonly AbortSignal[]): { readonly signal: AbortSignal; forget(): void } {
  const signals = [...new Set(all)];
  const controller = new AbortController();
  const look = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', look, { once: true });
  const forget = () => signals.forEach((signal) => signal.removeEventListener('abort', look));
  return { signal: controller.signal, forget };
}
