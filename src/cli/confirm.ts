import { createInterface } from 'node:readline/promises';
import { fail } from '../common/errors/errors.ts';
import type { GlobalOptions } from './command.ts';

/** Asks before something is lost; without a terminal only --yes is an answer. */
export async function confirm({ yes }: Pick<GlobalOptions, 'yes'>, question: string, help: string): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw fail('NOT_CONFIRMED', { question, help });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw fail('NOT_CONFIRMED', { question, help });
}
