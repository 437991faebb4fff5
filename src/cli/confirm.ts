import { createInterface } from 'node:readline/promises';
import { fail } from '../common/errors/errors.ts';
import type { GlobalOptions } from './command.ts';
import { clusterFlag, type ClusterFlags } from './options/cluster.ts';

interface ConfirmedCall {
  readonly global: Pick<GlobalOptions, 'yes'>;
  readonly options: Partial<ClusterFlags>;
}

/** Asks for confirmation before data is deleted. Without a terminal, --yes is required. */
export async function confirm({ global, options }: ConfirmedCall, command: string, question: string): Promise<void> {
  if (global.yes) return;
  const help = ['kubexm', command, clusterFlag(options), '--yes'].filter(Boolean).join(' ');
  if (!process.stdin.isTTY) throw fail('NOT_CONFIRMED', { question, help });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw fail('NOT_CONFIRMED', { question, help });
}
