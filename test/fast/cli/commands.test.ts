import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands.ts';
import { referencePages } from '../../../src/cli/reference/pages.ts';
import { groups } from '../../../src/cli/program/groups.ts';
import { VERSION } from '../../../src/common/version.ts';
import { clusterJsonSchema } from '../../../src/config/schema/json-schema.ts';
import { kubexm } from './kubexm.ts';

describe.each(commands.map((command) => ({ ...command })))('kubexm $path', ({ path, summary, examples }) => {
  it('has help with examples', async () => {
    const { exit, stdout } = await kubexm([...path.split(' '), '--help']);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Usage: kubexm ${path}`);
    expect(examples.length).toBeGreaterThan(0);
    for (const { command } of examples) expect(stdout).toContain(command);
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

it('has a summary for every group', () => {
  const words = commands.map(({ path }) => path.split(' ')).filter((path) => path.length > 1);
  expect(words.flatMap((path) => path.slice(0, -1)).filter((word) => !(word in groups))).toEqual([]);
});

it('shows its commands when called without one', async () => {
  const { exit, stdout } = await kubexm([]);
  expect(exit).toBe(0);
  expect(stdout).toContain('validate');
});

it('shows the commands of a group', async () => {
  const { exit, stdout } = await kubexm(['config']);
  expect(exit).toBe(0);
  expect(stdout).toContain('get-contexts');
});

it.each([
  [['versoin'], "unknown command 'versoin'. Did you mean version?", 'kubexm --help'],
  [['create', 'confg'], "unknown command 'confg'. Did you mean config?", 'kubexm create --help'],
  [['version', '--outptu', 'json'], "unknown option '--outptu'. Did you mean --output?", 'kubexm version --help'],
  [
    ['version', '-o', 'xml'],
    "option '-o, --output <VALUE>' argument 'xml' is invalid. Allowed choices are text, json.",
    'kubexm version --help',
  ],
  [
    ['lab', 'up', '--machines', 'many'],
    "argument 'many' is invalid. Expected an integer from 1 to 200.",
    'kubexm lab up --help',
  ],
  [['version', 'now'], "too many arguments for 'version'. Expected 0 arguments but got 1", 'kubexm version --help'],
])('explains kubexm %j', async (args, message, help) => {
  const { exit, stderr } = await kubexm(args);
  expect(stderr).toContain(message);
  expect(stderr).toContain(`Try    ${help}`);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(exit).toBe(2);
});

it('has the version of package.json', async () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(VERSION);
  expect((await kubexm(['version'])).stdout).toBe(`kubexm ${VERSION}\n`);
  expect((await kubexm(['--version'])).stdout).toBe(`kubexm ${VERSION}\n`);
});

it('keeps the reference pages current: run `kubexm generate docs` if not', () => {
  for (const [name, text] of Object.entries(referencePages(commands)))
    expect(readFileSync(`docs/reference/${name}`, 'utf8'), name).toBe(text);
});

it('keeps the JSON Schema current: run `kubexm generate schema > schema/cluster.schema.json` if not', () => {
  expect(readFileSync('schema/cluster.schema.json', 'utf8')).toBe(`${JSON.stringify(clusterJsonSchema(), null, 2)}\n`);
});

it('accepts global flags before the command', async () => {
  const { stdout } = await kubexm(['--log-format', 'json', '-v', 'config', 'get-contexts', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual({ contexts: [] });
  expect((await kubexm(['--no-color', '--verbose'])).stdout).toContain('Usage: kubexm');
  expect((await kubexm(['help', 'lab', 'up'])).stdout).toContain('Usage: kubexm lab up');
});

it('shows no stack trace for user errors, even with --verbose', async () => {
  const { exit, stderr } = await kubexm(['-v', 'validate', 'cluster', '-f', '/nonexistent.yaml']);
  expect(stderr).toContain('Caused by: ENOENT');
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(exit).toBe(10);
});

it.each(['/dev/zero', '/dev/tty'])('rejects %s as a cluster file', async (path) => {
  const { exit, stderr } = await kubexm(['validate', 'cluster', '-f', path]);
  expect(stderr).toContain(`Could not read ${path}`);
  expect(exit).toBe(10);
});

it('reports that stdout cannot be written', () => {
  const { status, stderr } = spawnSync('sh', ['-c', 'bin/kubexm generate schema >/dev/full'], { encoding: 'utf8' });
  expect(stderr).toMatch(/^x Could not write to stdout: .*ENOSPC.*\n$/);
  expect(status).toBe(12);
});

it('reads a cluster file from a pipe', () => {
  const command = 'cat examples/single-node.yaml | bin/kubexm validate cluster -f /dev/stdin';
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(stdout).toContain('/dev/stdin is valid');
});
