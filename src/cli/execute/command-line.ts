import { isSecretKey } from '../../config/model/secret-key.ts';
import { MASK } from '../../common/secret.ts';
import { quote } from '../../connector/quote.ts';

/** What the user typed, as it can be pasted, but for secrets. */
export const commandLine = (argv: readonly string[]): string => ['kubexm', ...argv.map(shown)].join(' ');

/** The same call, going on with its run. */
export const goOnLine = (argv: readonly string[]): string =>
  commandLine(argv.includes('--resume') ? argv : [...argv, '--resume']);

/** `-e hosts.node1.password=x` has its secret in the command line itself. */
function shown(word: string): string {
  const [, key = ''] = /^(?:-e|--extra-vars=)?([\w.[\]-]+)=/.exec(word) ?? [];
  if (!isSecretKey(key.split('.').at(-1) ?? '')) return quote(word);
  return quote(word.slice(0, word.indexOf(`${key}=`) + key.length + 1)) + MASK;
}
