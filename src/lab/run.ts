import { fail } from '../common/errors.ts';
import type { ExecOptions, ExecResult } from '../connector/connector.ts';
import { local } from '../connector/local.ts';
import { quote } from './quote.ts';

/** Runs a program on this computer and resolves with what it printed; a non-zero exit is an error. */
export async function run(argv: readonly string[], options: ExecOptions = {}): Promise<string> {
  const { exit, stdout, stderr } = await tryRun(argv, options);
  if (exit === 0) return stdout;
  throw fail('COMMAND_FAILED', { command: argv.map(quote).join(' '), exit, output: stderr.trim() || stdout });
}

/** Runs a program on this computer whose failure is an answer, too. */
export async function tryRun(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  try {
    return await local.exec(argv, options);
  } catch (error) {
    throw options.signal?.aborted ? fail('INTERRUPTED', {}, error) : error;
  }
}
