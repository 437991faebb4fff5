import { isSecretKey } from '../../config/model/secrets.ts';
import { MASK } from '../../common/secret.ts';
import { quote } from '../../connector/quote.ts';

/** The command line that the user typed, quoted for a shell, with secrets masked. */
export const commandLine = (argv: readonly string[]): string => ['kubexm', ...argv.map(quoteMasked)].join(' ');

/** The command line that resumes the run started by this one. */
export const resumeLine = (argv: readonly string[]): string =>
  commandLine(argv.includes('--resume') ? argv : [...argv, '--resume']);

/** `-e hosts.node1.password=x` passes a secret in the command line. */
function quoteMasked(word: string): string {
  const [, key = ''] = /^(?:-e|--extra-vars=)?([\w.[\]-]+)=/.exec(word) ?? [];
  if (!isSecretKey(key.split('.').at(-1) ?? '')) return quote(word);
  return quote(word.slice(0, word.indexOf(`${key}=`) + key.length + 1)) + MASK;
}
