/** A character that looks like YAML punctuation but is not. */
export interface LookAlike {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Reports and replaces full-width colons and wide spaces, which Chinese input methods insert, so that the rest of the
 * file can still be checked. Does not change quoted strings and block scalars.
 */
export function fixPunctuation(text: string): { readonly text: string; readonly found: readonly LookAlike[] } {
  const found: LookAlike[] = [];
  let blockIndent: number | undefined;
  let quote = '';
  const lines = text.split('\n').map((line, index) => {
    const indent = line.search(/\S/);
    if (blockIndent !== undefined && (indent === -1 || indent > blockIndent)) return line;
    const info = readLine(line, quote);
    quote = info.quote;
    blockIndent = quote === '' ? blockScalarIndent(line.slice(0, info.end)) : undefined;
    return fixLine(line, info, index + 1, found);
  });
  return { text: lines.join('\n'), found };
}

interface LineInfo {
  /** Index of the comment, or of the end of the line. */
  readonly end: number;
  /** Whether each character is in quotes. */
  readonly inQuotes: readonly boolean[];
  /** The quote that is not closed on this line, or ''. */
  readonly quote: string;
}

function readLine(line: string, open: string): LineInfo {
  const inQuotes: boolean[] = [];
  let quote = open;
  for (let index = 0; index < line.length; index++) {
    const letter = line[index]!;
    const before = line[index - 1] ?? ' ';
    inQuotes.push(quote !== '');
    if (quote === '"' && letter === '\\') {
      inQuotes.push(true);
      index++;
    } else if (quote) quote = letter === quote ? '' : quote;
    else if ((letter === '"' || letter === "'") && /[\s：:[{,]/.test(before)) quote = letter;
    else if (letter === '#' && /\s/.test(before)) return { end: index, inQuotes, quote };
  }
  return { end: line.length, inQuotes, quote };
}

/**
 * Returns the indentation of a line that starts a block scalar (`key: |`, `- >-`). Deeper lines below belong to the
 * scalar.
 */
function blockScalarIndent(code: string): number | undefined {
  const [, dashes, key] = /^(\s*(?:- +)*)(\S.*?:\s+)?[|>][-+\d]*\s*$/.exec(code) ?? [];
  if (dashes === undefined) return undefined;
  return key === undefined ? Math.max(dashes.lastIndexOf('-'), 0) : dashes.length;
}

function fixLine(line: string, { end, inQuotes }: LineInfo, number: number, found: LookAlike[]): string {
  const report = (column: number, message: string) => found.push({ line: number, column: column + 1, message });
  const indented = line.slice(0, end).replace(WIDE_INDENT, (indent) => {
    if (inQuotes[0]) return indent;
    report(0, 'is indented with a wide or non-breaking space; use plain spaces');
    return ' '.repeat(indent.length);
  });
  const fixed = indented.replace(KEY_WITH_WIDE_COLON, (all, before: string, key: string, after: string, at: number) => {
    const colon = at + before.length + key.length;
    if (inQuotes[colon]) return all;
    report(colon, `has a full-width colon "：" after ${key}; write "${key}: " with a plain colon and a space`);
    return `${before}${key}:${after || ' '}`;
  });
  return fixed + line.slice(end);
}

const WIDE_INDENT = /^[ \t]*[\u00a0\u3000][ \t\u00a0\u3000]*/;
/** Matches `key：` at the start of a line, after a dash or inside braces. */
const KEY_WITH_WIDE_COLON = /(^\s*(?:- )*|[{,]\s*)([A-Za-z_][\w.-]*)：(\s?)/g;
