import { appendFile } from 'node:fs/promises';

/** Appends lines in order, one write at a time. A failed write only emits a warning, so it never fails the run. */
export function openLog(path: string): AsyncDisposable & { readonly write: (line: string) => void } {
  let pending = '';
  let writing: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    while (pending !== '') {
      const text = pending;
      pending = '';
      await appendFile(path, text, { mode: 0o600 });
    }
  };
  const write = (line: string) => {
    pending += line;
    writing ??= flush()
      .catch((error: unknown) => process.emitWarning(`Could not write the log: ${String(error)}`))
      .finally(() => (writing = undefined));
  };
  const dispose = async () => {
    await writing;
    await flush().catch(() => {});
  };
  return { write, [Symbol.asyncDispose]: dispose };
}
