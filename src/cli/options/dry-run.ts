import type { Console } from '../console.ts';

/** The --dry-run flag of commands that make changes. */
export const dryRun = { type: 'flag', summary: 'show what would change without changing anything' } as const;

/** Prints one line per action. An action is a verb phrase such as "write cluster.yaml". */
export function printDryRun(console: Console, actions: readonly string[]): void {
  if (actions.length === 0) console.print('Nothing to do.');
  for (const action of actions) console.print(`Would ${action}.`);
}
