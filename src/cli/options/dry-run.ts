import type { Console } from '../console.ts';

/** The flag of every command that changes something. */
export const dryRun = { type: 'flag', summary: 'show what would change without changing anything' } as const;

/** Prints one line per action; an action is a verb phrase: "write cluster.yaml". */
export function printDryRun(console: Console, actions: readonly string[]): void {
  if (actions.length === 0) console.print('Nothing to do.');
  for (const action of actions) console.print(`Would ${action}.`);
}
