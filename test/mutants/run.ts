// Applies each mutant of mutants.json to a copy of the tree and runs the tests that must notice it.
// Usage: npx tsx test/mutants/run.ts [ID...]; without ids it runs all mutants and writes docs/results.md.
import { execFile, execFileSync, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeResults } from '../../bench/results.ts';
import { mutantProblems, readMutants, type Mutant } from './mutants.ts';

interface Verdict {
  readonly mutant: Mutant;
  /** The first test that failed; undefined if none did. */
  readonly killedBy: string | undefined;
}

const TIMEOUT_MS = 900_000;
const folder = mkdtempSync(join(tmpdir(), 'kubexm-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const all = readMutants();
const ids = process.argv.slice(2);
const tested = all.filter(({ id, equivalent }) => (ids.length > 0 ? ids.includes(id) : equivalent === undefined));
const problems = [
  ...ids.filter((id) => !all.some((mutant) => mutant.id === id)).map((id) => `${id}: no mutant has this id`),
  ...tested.flatMap(mutantProblems),
];
if (problems.length > 0) stop(problems.join('\n'));

const trees = Array.from({ length: Math.min(availableParallelism(), tested.length) }, (_, at) =>
  copyTree(`tree-${at}`),
);
const baseline = await firstFailure(trees[0]!, [...new Set(tested.flatMap(({ tests }) => tests))]);
if (baseline !== undefined) stop(`The tests fail without a mutant. Fix them first: ${baseline}`);

const verdicts = await inParallel(tested);
const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined);
for (const { mutant } of survivors) console.log(`survived  ${mutant.id}  ${mutant.file}: ${mutant.what}`);
console.log(`mutants: ${verdicts.length - survivors.length} of ${verdicts.length} killed`);
if (ids.length === 0) writeResults('mutants', tableOf(verdicts));
process.exitCode = survivors.length > 0 ? 1 : 0;

async function inParallel(mutants: readonly Mutant[]): Promise<readonly Verdict[]> {
  const queue = [...mutants];
  const verdicts: Verdict[] = [];
  const worker = async (tree: string) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const killedBy = await killerOf(tree, mutant);
      console.log(
        `${killedBy === undefined ? 'SURVIVED' : 'killed  '}  ${mutant.id}  ${mutant.what}  ${killedBy ?? ''}`,
      );
      verdicts.push({ mutant, killedBy });
    }
  };
  await Promise.all(trees.map(worker));
  return verdicts;
}

async function killerOf(tree: string, { file, find, replace, tests }: Mutant): Promise<string | undefined> {
  const path = join(tree, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  try {
    return await firstFailure(tree, tests);
  } finally {
    writeFileSync(path, original);
  }
}

/** The first failed test. A mutant that hangs is noticed, too; one that does not build or start proves nothing. */
async function firstFailure(tree: string, tests: readonly string[], attempts = 3): Promise<string | undefined> {
  const report = `${tree}.json`;
  rmSync(report, { force: true });
  const { error, output } = await runVitest(tree, report, tests);
  if (!error) return undefined;
  if (error.killed) return 'timed out';
  const { testResults = [] }: Partial<Report> = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  if (failed) return failed.fullName;
  // On a busy computer, a worker of vitest may not start in time.
  if (attempts > 1) return firstFailure(tree, tests, attempts - 1);
  return stop(`No test failed, but vitest did:\n${output.slice(-2000)}`);
}

function runVitest(tree: string, report: string, tests: readonly string[]) {
  const flags = ['--bail', '1', '--reporter', 'json', '--outputFile', report];
  // CI makes a missing golden file a failure.
  const options = { cwd: tree, env: { ...process.env, CI: 'true' }, timeout: TIMEOUT_MS, maxBuffer: 1 << 28 };
  return new Promise<{ error: ExecFileException | null; output: string }>((resolve) => {
    execFile('npx', ['vitest', 'run', '--project', 'fast', ...flags, ...tests], options, (error, stdout, stderr) =>
      resolve({ error, output: `${stdout}${stderr}` }),
    );
  });
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Copies what git knows and what is not committed yet; the dependencies are shared. */
function copyTree(name: string): string {
  const tree = join(folder, name);
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const file of list.split('\0').filter((each) => each !== '' && existsSync(each))) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(file, join(tree, file));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: tree });
  return tree;
}

function tableOf(verdicts: readonly Verdict[]): readonly string[] {
  const areas = [...new Set(verdicts.map(({ mutant }) => mutant.area))];
  const row = (name: string, of: readonly Verdict[]) =>
    `| ${name} | ${of.filter(({ killedBy }) => killedBy !== undefined).length} | ${of.length} |`;
  const inArea = (area: string) => verdicts.filter(({ mutant }) => mutant.area === area);
  const equivalent = all.filter((mutant) => mutant.equivalent !== undefined).map(({ id }) => id);
  return [
    '| area | killed | mutants |',
    '| --- | --- | --- |',
    ...areas.map((area) => row(area, inArea(area))),
    row('all', verdicts),
    '',
    `Equivalent, which no test can notice: ${equivalent.join(', ') || 'none'}.`,
  ];
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
