import { fail } from '../common/errors/errors.ts';
import type { Connector, ExecResult } from './connector.ts';
import { newMarker } from './framing.ts';
import { readFrames, type FramedOutput } from './framed-output.ts';
import { quote } from './quote.ts';
import { retryAfterDrop } from './retry-after-drop.ts';
import type { OpenShell } from './shell.ts';

/** Combines all queries of one tick into one script and assigns the output to the queries. */
export function batchQueries(host: string, open: OpenShell): Connector['query'] {
  const collected = new Map<boolean, Query[]>();
  const send = (root: boolean) => {
    const queries = (collected.get(root) ?? []).filter(({ signal }) => !signal?.aborted);
    collected.delete(root);
    if (queries.length > 0) void runBatch(host, open, root, queries);
  };
  return (script, { root = true, signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const cleanUp = () => signal?.removeEventListener('abort', onAbort);
      const query: Query = {
        script,
        signal,
        resolve: (result) => (cleanUp(), resolve(result)),
        reject: (error) => (cleanUp(), reject(error)),
      };
      const batch = collected.get(root);
      if (batch) return void batch.push(query);
      collected.set(root, [query]);
      // Callbacks of already settled promises run first, so that their queries join the same batch.
      void Promise.resolve().then(() => process.nextTick(send, root));
    });
}

interface Query {
  readonly script: string;
  readonly signal: AbortSignal | undefined;
  resolve(result: ExecResult): void;
  reject(error: unknown): void;
}

async function runBatch(host: string, open: OpenShell, root: boolean, queries: readonly Query[]): Promise<void> {
  const signals = queries.flatMap(({ signal }) => signal ?? []);
  // The batch is aborted only when all its queries are aborted.
  const all = signals.length < queries.length ? undefined : allAborted(signals);
  const signal = all?.signal;
  try {
    const results = await retryAfterDrop(host, 'a check', () => runOnce(host, open, root, queries, signal));
    queries.forEach((query, index) => query.resolve(results[index]!));
  } catch (error) {
    for (const query of queries) query.reject(error);
  } finally {
    all?.dispose();
  }
}

async function runOnce(
  host: string,
  open: OpenShell,
  root: boolean,
  queries: readonly Query[],
  signal: AbortSignal | undefined,
): Promise<readonly ExecResult[]> {
  const marker = newMarker();
  const scripts = queries.map(({ script }) => script);
  const shell = await open(batchScript(scripts, marker), { reusable: true, root, signal });
  const onAbort = () => shell.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  const limits = { frames: queries.length, bytes: MAX_OUTPUT };
  const [stdout, stderr] = await Promise.all([
    readFrames(shell.stdout, marker, limits, onAbort),
    readFrames(shell.stderr, marker, limits, onAbort),
  ]);
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  if (stdout.isTooLong || stderr.isTooLong) throw fail('OUTPUT_TOO_LARGE', { host, megabytes: MAX_OUTPUT / MEGABYTE });
  const results = resultsIn(stdout, stderr);
  if (results.length === queries.length) {
    shell.keep?.();
    return results;
  }
  const exit = await shell.closed;
  // The host may have closed an idle shell; the next attempt starts a new one.
  if (exit !== undefined && !shell.isReused) throw fail('COMMAND_LOST', { host, reason: 'its shell was killed' });
  throw fail('CONNECTION_LOST', { host, doing: 'a check', reason: 'the output is incomplete' });
}

/** Runs each script in its own subshell and prints a frame after its output. */
export const batchScript = (scripts: readonly string[], marker: string): string =>
  [
    `kubexm_query() { (eval "$1") </dev/null; printf '%s %s\\n' ${marker} $?; printf '%s\\n' ${marker} >&2; }`,
    ...scripts.map((script) => `kubexm_query ${quote(script)}`),
  ].join('\n');

/** Returns the output and exit code of each script, except for scripts without an end frame. */
export const resultsIn = ({ sections: out }: FramedOutput, { sections: err }: FramedOutput): readonly ExecResult[] =>
  out
    .slice(0, err.length)
    .map(({ text, frame }, index) => ({ exit: Number(frame), stdout: text, stderr: err[index]?.text ?? '' }));

/** Returns a signal that is aborted when all signals are aborted. `dispose` removes the listeners. */
function allAborted(all: readonly AbortSignal[]): { readonly signal: AbortSignal; dispose(): void } {
  const signals = [...new Set(all)];
  const controller = new AbortController();
  const onAbort = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  const dispose = () => signals.forEach((signal) => signal.removeEventListener('abort', onAbort));
  return { signal: controller.signal, dispose };
}

const MEGABYTE = 1024 * 1024;
/** The output of a query is data and must be complete. */
const MAX_OUTPUT = 128 * MEGABYTE;
