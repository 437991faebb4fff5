import { openJournal, type Journal, type JournalOptions } from './journal.ts';
import { readJournal } from './read-journal.ts';
import { applyRecord, newRunState, type RunState } from './run-state.ts';

/** Opens the journal of an earlier run for appending, and rebuilds its state. */
export async function resumeJournal(
  options: Pick<JournalOptions, 'path' | 'guard'>,
): Promise<{ readonly journal: Journal; readonly state: RunState }> {
  const state = newRunState();
  const end = await readJournal(options.path, (record) => applyRecord(state, record));
  return { journal: await openJournal({ ...options, ...end }), state };
}
