import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const PATH = 'docs/results.md';
const HEAD = `# Results

What the long suites and benchmarks measured last, written by \`make bench\` and \`make e2e\`.
`;

/** Prints a section and puts it into docs/results.md in place of the older one. */
export function writeResults(name: string, lines: readonly string[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const section = [`## ${name}\n`, `Commit ${commit}, ${date}, Node ${process.version}.\n`, ...lines, ''].join('\n');
  const old = existsSync(PATH) ? readFileSync(PATH, 'utf8') : HEAD;
  const sections = old.split(/^(?=## )/m);
  const others = sections.filter((each) => !each.startsWith(`## ${name}\n`)).map((each) => each.trimEnd());
  writeFileSync(PATH, `${[...others, section.trimEnd()].join('\n\n')}\n`);
  process.stdout.write(`${section}\n`);
}
