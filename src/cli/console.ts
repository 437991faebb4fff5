import pc from 'picocolors';
import type { KubexmError } from '../common/errors/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { safeJson, sanitize, sanitizeColored, sanitizeStrings } from '../common/sanitize.ts';
import { errorText, errorRecord } from './format/error-text.ts';
import { progressOn } from './format/progress.ts';

type Level = 'info' | 'note' | 'warning';

/** Column names and rows. */
export type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

/** The output of a command. Masks secrets and removes control sequences, except in `printUnmasked`. */
export interface Console {
  /** Prints a result to stdout. */
  print(text: string): void;
  /** Prints a result with unmasked secrets, because the user asked for them. */
  printUnmasked(text: string): void;
  json(value: unknown): void;
  table(...table: Table): Promise<void>;
  /** Prints a message to stderr, so that results on stdout can be piped. */
  note(text: string, level?: Level): void;
  error(error: KubexmError): void;
  readonly progress: ReportProgress;
  /** Lets a view that redraws itself make room for printed text, until the returned object is disposed. */
  besideView(view: { interject(write: () => void): void }): Disposable;
  readonly color: ReturnType<typeof pc.createColors>;
}

export interface ConsoleOptions {
  readonly color: boolean;
  /** Writes JSON lines to stderr, for log collectors. */
  readonly json: boolean;
  readonly verbose: boolean;
}

export function createConsole(options: ConsoleOptions): Console {
  const color = pc.createColors(options.color);
  const progress = progressOn(
    process.stderr,
    options.json ? (task) => log({ level: 'info', message: task }) : undefined,
  );
  let interject = (print: () => void) => print();
  const write = (stream: NodeJS.WriteStream, text: string) => {
    progress.clear();
    interject(() => stream.write(`${text}\n`));
  };
  const show = (stream: NodeJS.WriteStream, text: string) =>
    write(stream, options.color ? sanitizeColored(text) : sanitize(text));
  const log = (record: object) =>
    write(process.stderr, JSON.stringify({ timestamp: new Date().toISOString(), ...record }, sanitizeStrings));
  const print = (text: string) => show(process.stdout, text);
  const labels = { info: '', note: `${color.cyan('note')}    `, warning: `${color.yellow('warning')} ` };
  return Object.freeze({
    print,
    printUnmasked: (text: string) => write(process.stdout, text),
    json: (value: unknown) => write(process.stdout, safeJson(value)),
    table: async (...table: Table) => print((await import('./format/table.ts')).table(...table)),
    note: (message: string, level: Level = 'info') =>
      options.json ? log({ level, message: message.trim() }) : show(process.stderr, `${labels[level]}${message}`),
    error: (error: KubexmError) =>
      options.json ? log(errorRecord(error)) : show(process.stderr, errorText(error, color, options.verbose)),
    progress: progress.report,
    besideView: (view: { interject(write: () => void): void }) => {
      const before = interject;
      interject = (print) => view.interject(print);
      return { [Symbol.dispose]: () => (interject = before) };
    },
    color,
  });
}
