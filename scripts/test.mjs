// Runs the suites named on the command line, and prints how long each check took, which tests were skipped, and why.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const KUBEXM = 'bin/kubexm';
const MIRROR = process.env.KUBEXM_LAB_MIRROR || join(process.env.KUBEXM_HOME || join(homedir(), '.kubexm'), 'mirror');
/** Everything that the lab tests download, so that they create a cluster on every computer. */
const COMPONENTS = 'kubernetes,containerd,runc,cni-plugins,crictl,etcd,coredns,pause,flannel,busybox';
const MIRROR_BUILD = ['lab', 'mirror', 'build', '--versions', '1.36.3', '--components', COMPONENTS, '--dir', MIRROR];
/** How long each check took last time on this computer. */
const DURATIONS = 'node_modules/.cache/kubexm-durations.json';
/** Seconds on two cores, for the first run. */
const TYPICAL = { 'fast tests': 180, 'lab tests': 900, 'e2e tests': 10_800 };

const folder = mkdtempSync(join(tmpdir(), 'kubexm-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const suites = {
  fast: { checks: ['format:check', 'lint', 'types', 'unused'].map(script), tests: vitest('fast') },
  lab: { checks: [], tests: vitest('lab') },
  e2e: { checks: [], tests: vitest('e2e', './test/reporters/results.ts') },
};

const names = process.argv.slice(2);
if (names.length === 0) stop(`Usage: node scripts/test.mjs ${Object.keys(suites).join('|')}...`);
const chosen = names.map((name) => suites[name] ?? stop(`Unknown suite: ${name}`));
const needsMachines = names.some((name) => name !== 'fast');
const steps = [
  ...chosen.flatMap(({ checks }) => checks),
  // Before the fast tests, because some of them use programs that a lab installs.
  ...(needsMachines ? prepareLab() : []),
  ...chosen.map(({ tests }) => tests),
];
if (needsMachines && process.getuid() !== 0)
  stop('Lab machines need root. Run this as root, or run only the tests that need no machines: make check');
const known = { ...TYPICAL, ...readJson(DURATIONS) };
announce();

const done = steps.map(run);
const failed = done.filter(({ status }) => status !== 0);
const files = done.flatMap(({ report }) => report?.testResults ?? []);
const tests = files.flatMap(({ name, assertionResults }) =>
  assertionResults.map((test) => ({ ...test, file: relative('.', name) })),
);
rememberDurations();
printSummary();
process.exitCode = failed.length > 0 ? 1 : 0;

function announce() {
  const needs = needsMachines
    ? ['Needs: root on a Debian-like Linux, 4 GB of memory, 15 GB of disk, package registries (Debian, Go, npm).']
    : [];
  const build = needsMachines ? mirrorEstimate() : '';
  const minutes = Math.ceil(steps.reduce((sum, { name }) => sum + (known[name] ?? 10), 0) / 60);
  console.log([...needs, `Takes about ${minutes} min on ${availableParallelism()} CPUs${build}.`, ''].join('\n'));
}

/** What a missing mirror adds to the time. */
function mirrorEstimate() {
  const { stderr, stdout } = spawnSync(KUBEXM, [...MIRROR_BUILD, '--dry-run'], { encoding: 'utf8' });
  if (stdout.startsWith('Nothing to do')) return '';
  const [estimate] = /(about|less than) \d+ min/.exec(stderr) ?? ['some minutes'];
  return `, plus ${estimate} once to build ${MIRROR}, which make demo uses as well`;
}

function printSummary() {
  for (const { name, status, seconds } of done)
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s`);
  const skipped = tests.filter(({ status }) => ['skipped', 'pending', 'todo', 'disabled'].includes(status));
  if (skipped.length > 0) console.log('skipped tests:');
  for (const { file, fullName, meta } of skipped)
    console.log(
      `  ${file}: ${fullName.trim()}\n    ${meta?.skipReason ?? 'no reason given, or the setup of its suite failed'}`,
    );
  console.log(`total time: ${done.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1)} s`);
  const count = (status) => tests.filter((test) => test.status === status).length;
  // A suite without a report, or a file that failed outside its tests, counts as one failed test.
  const failures =
    count('failed') +
    done.filter(({ expectsReport, report }) => expectsReport && !report).length +
    files.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed)).length;
  const counts = `${count('passed')} passed, ${failures} failed`;
  console.log(`tests: ${counts}${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
}

function isFailed({ status }) {
  return status === 'failed';
}

function rememberDurations() {
  const measured = done.filter(({ status }) => status === 0).map(({ name, seconds }) => [name, Math.round(seconds)]);
  mkdirSync('node_modules/.cache', { recursive: true });
  // The next run finds the machine image and the mirror.
  const {
    'lab machine': _machine,
    'lab mirror': _mirror,
    ...durations
  } = { ...known, ...Object.fromEntries(measured) };
  writeFileSync(DURATIONS, `${JSON.stringify(durations, null, 2)}\n`);
}

/** Boots a machine, which installs the packages and builds the machine image that labs need, and gets what tests use. */
function prepareLab() {
  const lab = `check-${process.pid}`;
  const up = `${KUBEXM} lab up --name ${lab} --machines 1; status=$?; ${KUBEXM} lab down --name ${lab}; exit $status`;
  return [
    { name: 'lab machine', command: ['sh', '-c', up], env: { KUBEXM_HOME: join(folder, 'home') } },
    { name: 'test registry', command: ['sh', 'scripts/test-registry.sh'] },
    { name: 'lab mirror', command: [KUBEXM, ...MIRROR_BUILD] },
  ];
}

function script(name) {
  return { name, command: ['npm', 'run', '--silent', name] };
}

function vitest(project, ...reporters) {
  const reportFile = join(folder, `${project}.json`);
  const flags = ['default', 'json', ...reporters].map((reporter) => `--reporter=${reporter}`);
  return {
    name: `${project} tests`,
    reportFile,
    // With CI set, missing golden files and focused tests are failures, and vitest prints colour codes even to a file.
    env: { CI: 'true', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
    command: ['npx', 'vitest', 'run', '--project', project, ...flags, `--outputFile.json=${reportFile}`],
  };
}

function run({ name, command, env, reportFile }) {
  const start = Date.now();
  const { status } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', env: { ...process.env, ...env } });
  const seconds = (Date.now() - start) / 1000;
  return { name, status, seconds, expectsReport: reportFile !== undefined, report: reportFile && readJson(reportFile) };
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function stop(message) {
  console.error(message);
  process.exit(2);
}
