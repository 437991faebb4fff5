import { isScalar, LineCounter, parseAllDocuments } from 'yaml';
import { grow } from './grow.ts';
import { mendPunctuation } from './punctuation.ts';
import { syntax, type Parsed, type SyntaxFinding } from './syntax.ts';
import type { Place } from './tree.ts';

export function parse(text: string): Parsed {
  const mended = mendPunctuation(text.replaceAll(/\r\n?/g, '\n'));
  const wide = mended.found.map(({ line, column, message }) => syntax({ type: 'file', line, column }, message));
  const lines = new LineCounter();
  // Keys that stand twice are found while the tree grows: the parser compares each key with all others.
  const options = {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: 'silent',
    uniqueKeys: false,
  } as const;
  const documents = parseAllDocuments(mended.text, options);
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { type: 'file', line, column: col };
  };
  const [document, ...more] = Array.isArray(documents) ? documents : [];
  if (!document) return { tree: undefined, findings: [...wide, syntax(at(0), 'holds no YAML document')] };
  const second = more.filter(({ contents }) => !isScalar(contents) || contents.value !== null).slice(0, 1);
  const errors = document.errors.map((error) => ({
    code: error.code,
    finding: syntax(at(error.pos[0]), explain(error.code, error.message)),
  }));
  if (errors.length > 0) return { tree: undefined, findings: [...wide, ...mostTelling(errors)] };
  const { tree, findings } = grow(document, at);
  return { tree, findings: [...wide, ...findings, ...second.map(({ range }) => secondDocument(at(range[0])))] };
}

const secondDocument = (place: Place): SyntaxFinding => ({
  type: 'second-document',
  place,
  message: 'begins a second document; one file describes one cluster',
});

function explain(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'is indented with a tab; YAML wants spaces';
  if (message.includes('call stack')) return 'is nested too deeply';
  return `is no valid YAML: ${message.split('\n')[0]!.replace(/\.$/, '')}`;
}

/** One slip makes the parser stumble several times: a tab explains all that follows, and the first of a line the line. */
function mostTelling(
  errors: readonly { readonly code: string; readonly finding: SyntaxFinding }[],
): readonly SyntaxFinding[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const seen = new Set<number>();
  return (tabs.length > 0 ? tabs : errors).flatMap(({ finding }) => {
    const line = finding.place.type === 'file' ? finding.place.line : 0;
    if (seen.has(line)) return [];
    seen.add(line);
    return [finding];
  });
}
