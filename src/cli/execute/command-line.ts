import { isSecretKey } from '../../config/model/secrets.ts';
import { MASK } from '../../common/secret.ts';
import { quote } from '../../connector/quote.ts';

/** Returns the command line that the user entered, quoted for a shell, with secrets masked. */
export const commandLine = (argv: readonly string[]): string => ['kubexm', ...argv.map(quoteMasked)].join(' ');

/** Returns the command line that resumes the run started with `argv`. */
export const resumeLine = (argv: readonly string[]): string =>
  commandLine(argv.includes('--resume') ? argv : [...argv, '--resume']);

/** Quotes a word and masks the secret in an override such as `-e hosts.node1.password=x`. */
function quoteMasked(word: string): string {
  const [, key = ''] = /^(?:-e|--extra-vars=)?([\w.[\]-]+)=/.exec(word) ?? [];
  if (!isSecretKey(key.split('.').at(-1) ?? '')) return quote(word);
  return quote(word.slice(0, word.indexOf(`${key}=`) + key.length + 1)) + MASK;
}
