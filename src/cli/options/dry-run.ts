import type { Console } from '../console.ts';

/** The flag of every command that changes something. */
export const dryRun = { type: 'flag', summary: 'say what would be done, and do nothing' } as const;

/** Says what would be done. */
export function printDryRun(console: Console, acts: readonly string[]): void {
  if (acts.length === 0) console.print('Nothing to do.');
  for (const act of acts) console.print(`Would ${act}.`);
}
