import { isScalar, LineCounter, parseAllDocuments } from 'yaml';
import { buildTree, syntaxError, type Parsed, type SyntaxFinding } from './build-tree.ts';
import { fixPunctuation } from './punctuation.ts';
import type { Location } from './tree.ts';

/** Parses the text of a cluster file. */
export function parse(text: string): Parsed {
  const fixed = fixPunctuation(text.replaceAll(/\r\n?/g, '\n'));
  const lookAlikes = fixed.found.map(({ line, column, message }) =>
    syntaxError({ type: 'file', line, column }, message),
  );
  const lines = new LineCounter();
  // buildTree reports duplicate keys, because the parser would compare each key with all others.
  const options = {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: 'silent',
    uniqueKeys: false,
  } as const;
  const documents = parseAllDocuments(fixed.text, options);
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { type: 'file', line, column: col };
  };
  const [document, ...more] = Array.isArray(documents) ? documents : [];
  if (!document) return { tree: undefined, findings: [...lookAlikes, syntaxError(at(0), 'contains no YAML document')] };
  const second = more.filter(({ contents }) => !isScalar(contents) || contents.value !== null).slice(0, 1);
  const errors = document.errors.map((error) => ({
    code: error.code,
    finding: syntaxError(at(error.pos[0]), explain(error.code, error.message)),
  }));
  if (errors.length > 0) return { tree: undefined, findings: [...lookAlikes, ...rootCauses(errors)] };
  const { tree, findings } = buildTree(document, at);
  return { tree, findings: [...lookAlikes, ...findings, ...second.map(({ range }) => secondDocument(at(range[0])))] };
}

const secondDocument = (location: Location): SyntaxFinding => ({
  type: 'second-document',
  location,
  message: 'starts a second document; a cluster file contains one cluster',
});

function explain(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'is indented with a tab; YAML requires spaces';
  if (message.includes('call stack')) return 'is nested too deeply';
  return `is not valid YAML: ${message.split('\n')[0]!.replace(/\.$/, '')}`;
}

/**
 * Drops follow-up errors. If a tab is used for indentation, keeps only that error; otherwise keeps the first error of
 * each line.
 */
function rootCauses(
  errors: readonly { readonly code: string; readonly finding: SyntaxFinding }[],
): readonly SyntaxFinding[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const seen = new Set<number>();
  return (tabs.length > 0 ? tabs : errors).flatMap(({ finding }) => {
    const line = finding.location.type === 'file' ? finding.location.line : 0;
    if (seen.has(line)) return [];
    seen.add(line);
    return [finding];
  });
}
