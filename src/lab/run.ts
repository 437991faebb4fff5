import { fail } from '../common/errors/errors.ts';
import { runProgram, type ProgramOptions, type ProgramResult } from '../connector/program.ts';
import { quote } from '../connector/quote.ts';

/** Runs a program on this computer and resolves with its stdout; a non-zero exit code is an error. */
export async function run(argv: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const { exit, stdout, stderr } = await tryRun(argv, options);
  if (exit === 0) return stdout;
  throw fail('COMMAND_FAILED', { command: argv.map(quote).join(' '), exit, output: stderr.trim() || stdout });
}

/** Like `run`, but resolves with the result even if the program fails. */
export async function tryRun(argv: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  try {
    return await runProgram(argv, options);
  } catch (error) {
    throw options.signal?.aborted ? fail('INTERRUPTED', {}, error) : error;
  }
}
