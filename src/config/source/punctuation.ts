/** A character that looks like punctuation of YAML and is none. */
export interface LookAlike {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Finds the full-width colons and wide spaces that input methods write, and gives the text with the right ones in their
 * place, so that the rest of the file can be checked in the same go. Texts of the user, in quotes or blocks, stay.
 */
export function mendPunctuation(text: string): { readonly text: string; readonly found: readonly LookAlike[] } {
  const found: LookAlike[] = [];
  let blockIndent: number | undefined;
  let quote = '';
  const lines = text.split('\n').map((line, index) => {
    const indent = line.search(/\S/);
    if (blockIndent !== undefined && (indent === -1 || indent > blockIndent)) return line;
    const read = readLine(line, quote);
    quote = read.quote;
    blockIndent = quote === '' ? blockScalarIndent(line.slice(0, read.end)) : undefined;
    return mendLine(line, read, index + 1, found);
  });
  return { text: lines.join('\n'), found };
}

interface ReadLine {
  /** Where the comment begins, or the end. */
  readonly end: number;
  /** Whether a letter stands in quotes. */
  readonly inQuotes: readonly boolean[];
  /** The quote that is still open. */
  readonly quote: string;
}

function readLine(line: string, open: string): ReadLine {
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

/** `key: |` and `- >-`: what stands further to the right below is text of the user. */
function blockScalarIndent(code: string): number | undefined {
  const [, dashes, key] = /^(\s*(?:- +)*)(\S.*?:\s+)?[|>][-+\d]*\s*$/.exec(code) ?? [];
  if (dashes === undefined) return undefined;
  return key === undefined ? Math.max(dashes.lastIndexOf('-'), 0) : dashes.length;
}

function mendLine(line: string, { end, inQuotes }: ReadLine, number: number, found: LookAlike[]): string {
  const report = (column: number, message: string) => found.push({ line: number, column: column + 1, message });
  const indented = line.slice(0, end).replace(WIDE_INDENT, (indent) => {
    if (inQuotes[0]) return indent;
    report(0, 'is indented with a wide or non-breaking space; use plain spaces');
    return ' '.repeat(indent.length);
  });
  const mended = indented.replace(
    KEY_WITH_WIDE_COLON,
    (all, before: string, key: string, after: string, at: number) => {
      const colon = at + before.length + key.length;
      if (inQuotes[colon]) return all;
      report(colon, `has a full-width colon "：" after ${key}; write "${key}: " with a plain colon and a space`);
      return `${before}${key}:${after || ' '}`;
    },
  );
  return mended + line.slice(end);
}

const WIDE_INDENT = /^[ \t]*[\u00a0\u3000][ \t\u00a0\u3000]*/;
/** `key：`, at the start of a line, after a dash or inside braces. */
const KEY_WITH_WIDE_COLON = /(^\s*(?:- )*|[{,]\s*)([A-Za-z_][\w.-]*)：(\s?)/g;
