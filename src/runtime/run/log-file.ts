import { appendFile } from 'node:fs/promises';

/** One write at a time, in the order of the events; a log that cannot be written ends no run. */
export function openLog(path: string): AsyncDisposable & { readonly write: (line: string) => void } {
  let waiting = '';
  let writing: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await appendFile(path, text, { mode: 0o600 });
    }
  };
  const write = (line: string) => {
    waiting += line;
    writing ??= flush()
      .catch((error: unknown) => process.emitWarning(`the log is not written any more: ${String(error)}`))
      .finally(() => (writing = undefined));
  };
  const dispose = async () => {
    await writing;
    await flush().catch(() => {});
  };
  return { write, [Symbol.asyncDispose]: dispose };
}
