import { isNode, type Pair, type YAMLMap } from 'yaml';
import { quotesOf, writeScalar } from './scalar.ts';
import { contentEnd, keyOf, lineStart, NotEditable, pairOf, type Source } from './source.ts';

/** The fields of a new host. Other login settings are copied from an existing host. */
export interface HostFields {
  readonly name: string;
  readonly address: string;
  readonly user?: string | undefined;
  /** Path of a private key on this machine. */
  readonly privateKeyPath?: string | undefined;
}

/** The fields that are copied from an existing host. */
export const LOGIN_FIELDS: readonly string[] = [
  'port',
  'user',
  'password',
  'privateKey',
  'privateKeyPath',
  'passphrase',
  'sudoPassword',
  'jump',
  'timeout',
];

/** Writes a host with the login settings and style of an existing host. */
export function writeHostEntry(source: Source, template: YAMLMap, host: HostFields): string {
  const own = fieldsOf(host);
  const replaced = replacedFields(host);
  checkMerged(source, template, replaced);
  const copied = (key: string) => (key === '<<' || LOGIN_FIELDS.includes(key)) && !replaced.has(key);
  const pairs = template.items.filter(({ key, value }) => isNode(key) && isNode(value));
  const texts = pairs.flatMap((pair) => {
    const value = own.get(keyOf(pair));
    if (value !== undefined) return [headOf(source, pair) + writeScalar(value, quotesOf(pair.value))];
    return copied(keyOf(pair)) ? [headOf(source, pair) + valueText(source, pair)] : [];
  });
  const missing = [...own].filter(([key]) => !pairs.some((pair) => keyOf(pair) === key));
  return joinPairs(source, template, [
    ...texts,
    ...missing.map(([key, value]) => newPair(source, pairs[0], key, value)),
  ]);
}

const fieldsOf = ({ name, address, user, privateKeyPath }: HostFields): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({ name, address, user, privateKeyPath }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );

/** Returns the login settings of the existing host that do not apply to another user or key. */
export function replacedFields({ user, privateKeyPath }: HostFields): ReadonlySet<string> {
  return new Set([
    ...(user === undefined ? [] : ['user', 'password', 'sudoPassword']),
    ...(privateKeyPath === undefined ? [] : ['privateKey', 'privateKeyPath', 'passphrase']),
  ]);
}

/** Fails if `<<` merges a field that must be omitted. */
function checkMerged({ document }: Source, template: YAMLMap, replaced: ReadonlySet<string>): void {
  const unwanted = ['internalAddress', 'hostKey', ...replaced].filter(
    (key) => key !== 'user' && key !== 'privateKeyPath',
  );
  const found = unwanted.find((key) => {
    const pair = pairOf(document, template, key);
    return pair !== undefined && !template.items.includes(pair);
  });
  if (found !== undefined) throw new NotEditable(`the hosts share ${found} through a merge key (<<)`);
}

/** Returns the key and colon of a pair, with the space before its value, but without anchors, tags and comments. */
function headOf({ text }: Source, { key, value }: Pair): string {
  if (!isNode(key) || !key.range || !isNode(value) || !value.range) return '';
  const colon = text.slice(key.range[1], value.range[0]).replaceAll(/[&!]\S*[ \t]*|#[^\n]*/g, '');
  const tidy = colon.includes('\n') ? colon.replaceAll(/[ \t]+(?=\n)/g, '') : colon.trimEnd();
  const space = colon.includes('\n') ? '' : (/^\s*:([ \t]*)/.exec(colon)?.[1] ?? ' ');
  return text.slice(key.range[0], key.range[1]) + tidy + space;
}

function valueText({ text }: Source, { value }: Pair): string {
  return isNode(value) && value.range ? text.slice(value.range[0], contentEnd(text, value)) : '';
}

/** Quotes keys if the existing keys are quoted, as in JSON. */
function newPair(source: Source, like: Pair | undefined, key: string, value: string): string {
  const quotes = quotesOf(like?.key);
  const [, colon = ': '] = like ? (/(:[ \t]*)$/.exec(headOf(source, like)) ?? []) : [];
  return (
    writeScalar(key, quotes) + (colon.length > 2 ? ': ' : colon) + writeScalar(value, quotes && quotesOf(like?.value))
  );
}

function joinPairs(source: Source, template: YAMLMap, pairs: readonly string[]): string {
  const { text } = source;
  const token = template.srcToken;
  if (token?.type === 'block-map') {
    const column = token.offset - lineStart(text, token.offset);
    return pairs.join(`\n${' '.repeat(column)}`);
  }
  if (token?.type !== 'flow-collection' || !template.range) throw new NotEditable('a host is not written as a map');
  const spans = template.items.flatMap(({ key, value }) =>
    isNode(key) && key.range && isNode(value) && value.range ? [[key.range[0], value.range[1]] as const] : [],
  );
  const plain = (start: number, end: number, otherwise: string) => {
    const between = text.slice(start, end);
    return /^[\s,{}]*$/.test(between) ? between : otherwise;
  };
  const [first, second, last] = [spans[0], spans[1], spans.at(-1)];
  if (!first || !last) throw new NotEditable('a host is not written as a map');
  const open = plain(template.range[0], first[0], '{ ');
  const separator = second ? plain(first[1], second[0], ', ') : ', ';
  const close = plain(last[1], template.range[1], open.includes('\n') ? '\n}' : ' }');
  return open + pairs.join(separator) + close;
}
