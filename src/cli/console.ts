import pc from 'picocolors';
import type { ReportProgress } from '../common/progress.ts';
import { progressOn } from './progress.ts';

/** What a command says to the person or script that called it. */
export interface Console {
  /** Results: stdout. */
  print(text: string): void;
  json(value: unknown): void;
  table(head: readonly string[], rows: readonly (readonly string[])[]): Promise<void>;
  /** Everything else: stderr, so that results can be piped. */
  note(text: string): void;
  readonly progress: ReportProgress;
  readonly color: ReturnType<typeof pc.createColors>;
}

export function createConsole({ color }: { readonly color: boolean }): Console {
  const progress = progressOn(process.stderr);
  const out = (text: string) => {
    progress.clear();
    process.stdout.write(`${text}\n`);
  };
  return Object.freeze({
    print: out,
    json: (value: unknown) => out(JSON.stringify(value, null, 2)),
    table: async (head: readonly string[], rows: readonly (readonly string[])[]) =>
      out((await import('./table.ts')).table(head, rows)),
    note: (text: string) => {
      progress.clear();
      process.stderr.write(`${text}\n`);
    },
    progress: progress.report,
    color: pc.createColors(color),
  });
}
