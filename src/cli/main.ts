import { EXIT } from '../common/exit-codes.ts';
import { KubexmError, fail } from '../common/errors.ts';
import { createConsole } from './console.ts';
import { commands } from './commands.ts';
import { printError } from './print-error.ts';
import { createProgram } from './program.ts';

/** argv -> one command -> exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const verbose = argv.includes('--verbose') || argv.includes('-v');
  const console = createConsole({ color: useColor(argv) });
  try {
    return await createProgram(commands, console).call(argv);
  } catch (error) {
    const known = error instanceof KubexmError ? error : fail('INTERNAL', { message: String(error) }, error);
    printError(console, known, verbose);
    return known.exit;
  }
}

const useColor = (argv: readonly string[]) =>
  !argv.includes('--no-color') && !process.env['NO_COLOR'] && (process.stdout.isTTY || Boolean(process.env['FORCE_COLOR']));

process.once('SIGPIPE', () => process.exit(EXIT.ok));
