import { fail } from '../common/errors.ts';
import type { OptionSpec } from './command.ts';

/** The options of every command that reads a cluster file. */
export const clusterOptions = {
  file: { type: 'text', short: 'f', value: 'FILE', summary: 'cluster file; by default the one of the current context' },
  extraVars: { type: 'list', short: 'e', value: 'KEY=VALUE', summary: 'put a value over the file; may be repeated' },
} as const satisfies Record<string, OptionSpec>;

/** The file that was named, or the one of the current context. */
export async function fileOf(named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { currentContext, findContext, readContexts } = await import('../state/contexts.ts');
  const context = await currentContext();
  if (context) return context.file;
  const { current } = await readContexts();
  if (current !== undefined) return (await findContext(current)).file;
  throw fail('USAGE', {
    message: 'No cluster file is named, and there is no current context.',
    help: 'kubexm validate cluster -f cluster.yaml',
  });
}
