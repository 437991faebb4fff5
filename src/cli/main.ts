import { EXIT } from '../common/errors/exit-codes.ts';
import { KubexmError, fail } from '../common/errors/errors.ts';
import { createConsole, type Console } from './console.ts';
import { commands } from './commands.ts';
import { createProgram } from './program/program.ts';

/** Runs the command that argv selects and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const console = createConsole({
    color: useColor(argv),
    json: /--log-format[= ]json/.test(argv.join(' ')),
    verbose: argv.includes('--verbose') || argv.includes('-v'),
  });
  process.on('uncaughtException', (error) => {
    console.error(fail('INTERNAL', { message: String(error) }, error));
    process.exit(EXIT.internal);
  });
  try {
    if (argv[0] === '__complete') return await complete(console, argv.slice(2));
    return await createProgram(commands, console).call(argv);
  } catch (error) {
    const known = error instanceof KubexmError ? error : fail('INTERNAL', { message: String(error) }, error);
    console.error(known);
    return known.exit;
  }
}

/** Prints completions for the completion scripts; not listed in the help. */
async function complete(console: Console, words: readonly string[]): Promise<number> {
  const { suggest } = await import('./program/suggest.ts');
  const { words: found, files } = await suggest(commands, words);
  console.print(
    [...found.map(({ word, summary }) => (summary ? `${word}\t${summary}` : word)), files ? ':files' : ':words'].join(
      '\n',
    ),
  );
  return EXIT.ok;
}

const useColor = (argv: readonly string[]) =>
  !argv.includes('--no-color') &&
  !process.env['NO_COLOR'] &&
  (process.stdout.isTTY || Boolean(process.env['FORCE_COLOR']));

// The reader may close the pipe early, like head. SIGPIPE itself is not handled, because it is also sent when a child
// process does not read its input.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
  process.stderr.write(`x Could not write to stdout: ${error.message}\n`);
  process.exit(EXIT.command);
});
process.stderr.on('error', () => {});
