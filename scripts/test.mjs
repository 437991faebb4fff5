// Runs the checks that are named on the command line, prints how long each took and how many tests ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const suites = {
  fast: [script('format:check'), script('lint'), script('types'), script('unused'), vitest('fast')],
  lab: [vitest('lab')],
  e2e: [vitest('e2e', './test/reporters/results.ts')],
};

const steps = process.argv.slice(2).flatMap((name) => suites[name] ?? stop(`There is no suite named ${name}.`));
const done = steps.map(run);
const count = (key) => done.reduce((sum, { counts }) => sum + (counts?.[key] ?? 0), 0);
const failed = done.filter(({ status }) => status !== 0);

for (const { name, status, seconds } of done)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s`);
console.log(`total time: ${done.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1)} s`);
console.log(`tests: ${count('numPassedTests')} passed, ${count('numFailedTests')} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

function script(name) {
  return { name, command: ['npm', 'run', '--silent', name] };
}

function vitest(project, ...reporters) {
  const report = join(folder, `${project}.json`);
  const flags = ['default', 'json', ...reporters].map((reporter) => `--reporter=${reporter}`);
  return {
    name: `${project} tests`,
    report,
    command: ['npx', 'vitest', 'run', '--project', project, ...flags, `--outputFile.json=${report}`],
  };
}

function run({ name, command, report }) {
  const start = Date.now();
  const { status } = spawnSync(command[0], command.slice(1), { stdio: 'inherit' });
  return { name, status, seconds: (Date.now() - start) / 1000, counts: report && readCounts(report) };
}

function readCounts(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}

function stop(message) {
  console.error(message);
  process.exit(2);
}
