import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/** Phrases that are not used, and the standard term. Spaces also match a line break within a comment or paragraph. */
const REJECTED: readonly (readonly [phrase: string, pattern: string, use: string])[] = [
  ['already so', 'already so', 'unchanged, up to date'],
  ['anew', 'anew', 'again, restart, reboot'],
  ['authority', '(?:the|an|own|new|another|its) authorit(?:y|ies)(?! field)', 'CA'],
  ['both kinds of addresses', 'both kinds of addresses', 'dual stack'],
  ['came about', 'c[ao]me about', 'could not, failed'],
  ['come and go', 'comes? and goe?s?', 'install and delete, restore'],
  ['does not count', '(?:does|do) not count(?! as)', 'is ignored'],
  ['ended well', 'end(?:s|ed) well', 'succeeded'],
  ['from binaries', 'from binaries', 'binary mode'],
  ['go on with', '(?:go|goes|going|gone|went) on with', 'resume, continue'],
  ['in vain', 'in vain', 'timed out waiting for'],
  ['is meant by', '(?:is|are) meant by', 'matches'],
  ['makers', 'makers', 'upstream, publisher'],
  ['mend', 'mend(?:s|ed|ing)?', 'fix, repair'],
  ['nobody has tried', 'nobody has tried', 'untested'],
  ['is not fit', '(?:is|are) not fit', 'invalid, not ready'],
  ['not to be had', '(?:not to|cannot) be had', 'missing, unavailable'],
  ['not unaltered', 'unaltered', 'checksum does not match'],
  ['not whole', 'not whole', 'truncated, corrupt'],
  ['of somebody else', 'somebody else', 'external, another operator'],
  ['put back', 'put(?:s|ting)? back', 'restore, roll back'],
  ['set aside', 'set(?:s|ting)? aside', 'quarantine'],
  ['taken in again', 'tak(?:e|en|es) in again', 'resumed, included again'],
  ['to the byte', 'to the byte', 'exactly, to the original state'],
  ['virtual address', 'virtual address(?:es)?', 'virtual IP'],
  ['without a trace', 'without a trace', 'restores hosts to their original state'],
];

const ROOTS = ['src', 'docs', 'test', 'scripts', 'bench', 'bin', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Expected outputs and recorded inputs are covered by the tests that use them. */
const SKIPPED = ['test/golden/', 'test/fixtures/'];

/** Files that have to quote these phrases. */
const QUOTES: ReadonlySet<string> = new Set([
  'docs/glossary.md',
  'src/step/undo/former-records.ts',
  'test/fast/language.test.ts',
]);

/** Texts of earlier versions, which are still read. */
const FORMER = [/formerly: \[[^\]]*\]/g, /\(failed\|quarantined\|set aside\)/g];

const texts = new Map(ROOTS.flatMap(filesIn).map((file) => [file, withoutFormer(readFileSync(file, 'utf8'))]));

it.each(REJECTED)('does not use "%s"', (_, pattern, use) => {
  expect(findings(pattern).map((finding) => `${finding}; use: ${use}`)).toEqual([]);
});

it('reads all sources, tests and documents', () => {
  expect(texts.size).toBeGreaterThan(900);
});

describe('a rejected phrase', () => {
  it('is found in its plain form and across lines of a comment', () => {
    for (const [phrase, pattern] of REJECTED) expect(`the ${phrase}.`).toMatch(expression(pattern));
    expect('/**\n * The host is set\n * aside.\n */').toMatch(expression('set aside'));
    expect('--max-set-aside').not.toMatch(expression('set aside'));
  });

  it('is listed in the glossary', () => {
    const glossary = readFileSync('docs/glossary.md', 'utf8');
    expect(REJECTED.filter(([phrase]) => !glossary.includes(phrase)).map(([phrase]) => phrase)).toEqual([]);
  });
});

function filesIn(root: string): readonly string[] {
  if (root.endsWith('.md')) return [root];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(.*\.(ts|mjs|sh|md)|[a-z]+)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !QUOTES.has(file) && !SKIPPED.some((folder) => file.startsWith(folder)));
}

/** Keeps line breaks, so that the lines of findings stay correct. */
function withoutFormer(text: string): string {
  return FORMER.reduce((rest, former) => rest.replaceAll(former, (match) => match.replaceAll(/[^\n]/g, ' ')), text);
}

const expression = (pattern: string): RegExp =>
  new RegExp(String.raw`\b${pattern.replaceAll(' ', String.raw`\s+(?:(?:\*|//|#|>) +)?`)}\b`, 'gi');

function findings(pattern: string): readonly string[] {
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(expression(pattern))].map(({ index, 0: match }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: "${match.replaceAll(/\s+/g, ' ')}"`;
    }),
  );
}
