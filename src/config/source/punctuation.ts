/** A character that looks like punctuation of YAML and is none. */
export interface LookAlike {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Finds the full-width colons and wide spaces that input methods write, and gives the text with the right ones in their
 * place, so that the rest of the file can be checked in the same go.
 */
export function mendPunctuation(text: string): { readonly text: string; readonly found: readonly LookAlike[] } {
  const found: LookAlike[] = [];
  let blockIndent: number | undefined;
  const lines = text.split('\n').map((line, index) => {
    const indent = line.search(/\S/);
    if (blockIndent !== undefined && (indent === -1 || indent > blockIndent)) return line;
    blockIndent = BLOCK_SCALAR.test(line) ? indent : undefined;
    return mendLine(line, index + 1, found);
  });
  return { text: lines.join('\n'), found };
}

function mendLine(line: string, number: number, found: LookAlike[]): string {
  const code = line.slice(0, commentStart(line));
  const report = (column: number, message: string) => found.push({ line: number, column: column + 1, message });
  const indented = code.replace(WIDE_INDENT, (indent) => {
    report(0, 'is indented with a wide or non-breaking space; use plain spaces');
    return ' '.repeat(indent.length);
  });
  const mended = indented.replace(KEY_WITH_WIDE_COLON, (_, before: string, key: string, after: string, at: number) => {
    report(
      at + before.length + key.length,
      `has a full-width colon "：" after ${key}; write "${key}: " with a plain colon and a space`,
    );
    return `${before}${key}:${after || ' '}`;
  });
  return mended + line.slice(code.length);
}

/** `key: |` and `key: >-`: the lines below are text of the user. */
const BLOCK_SCALAR = /:\s+[|>][-+\d]*\s*(#.*)?$/;
const WIDE_INDENT = /^[ \t]*[\u00a0\u3000][ \t\u00a0\u3000]*/;
/** `key：`, at the start of a line, after a dash or inside braces. */
const KEY_WITH_WIDE_COLON = /(^\s*(?:- )*|[{,]\s*)([A-Za-z_][\w.-]*)：(\s?)/g;

/** A # after a space, outside of quotes. */
function commentStart(line: string): number {
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const letter = line[index]!;
    const before = line[index - 1] ?? ' ';
    if (quote) quote = letter === quote ? '' : quote;
    else if ((letter === '"' || letter === "'") && /[\s:[{,]/.test(before)) quote = letter;
    else if (letter === '#' && /\s/.test(before)) return index;
  }
  return line.length;
}
