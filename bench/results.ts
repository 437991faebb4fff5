import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const PATH = 'docs/results.md';
const HEAD = `# Results

The latest results of the long test suites and benchmarks, written by \`make e2e\` and \`make bench\`.
`;

/** Prints the section of a benchmark and replaces the older one in docs/results.md. */
export function writeResults(name: string, lines: readonly string[]): void {
  const { commit, date } = source();
  const section = [`## ${name}\n`, `Commit ${commit}, ${date}, Node ${process.version}.\n`, ...lines, ''].join('\n');
  replaceSection(name, section);
  process.stdout.write(`${section}\n`);
}

/** What one long suite showed. */
export interface SuiteResult {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** The numbers that matter, in one line. */
  readonly numbers: string;
}

/** Prints the row of a suite and replaces the older one in the table of long suites. */
export function writeSuiteResult({ suite, passed, failed, seconds, numbers }: SuiteResult): void {
  const { commit, date } = source();
  const cells = [suite, commit, date, passed, failed, seconds.toFixed(0), numbers.replaceAll('|', '/')];
  const row = `| ${cells.join(' | ')} |`;
  const rows = sectionsOf()
    .find((each) => each.startsWith(`## ${SUITES}\n`))
    ?.split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| suite ') && !line.startsWith('| ---'));
  const others = (rows ?? []).filter((line) => !line.startsWith(`| ${suite} |`));
  const table = [...SUITES_HEAD, ...[...others, row].toSorted()];
  replaceSection(SUITES, [`## ${SUITES}\n`, ...table, ''].join('\n'));
  process.stdout.write(`${row}\n`);
}

const SUITES = 'Long suites';
const SUITES_HEAD = [
  '| suite | commit | date | passed | failed | s | numbers |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];

const source = () => ({
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  date: new Date().toISOString().slice(0, 10),
});

const sectionsOf = () => (existsSync(PATH) ? readFileSync(PATH, 'utf8') : HEAD).split(/^(?=## )/m);

function replaceSection(name: string, section: string): void {
  const others = sectionsOf()
    .filter((each) => !each.startsWith(`## ${name}\n`))
    .map((each) => each.trimEnd());
  writeFileSync(PATH, `${[...others, section.trimEnd()].join('\n\n')}\n`);
}
