import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { labNames } from './support.ts';

const named = await labNames();
const names = { run: named('run') };
const CANARY = 'canary-5f2c';
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name: names.run, machines: 3, user: 'ops', sudoPassword: CANARY });
});

const run = (...args: readonly string[]) =>
  kubexm(['run', 'command', '-f', lab.paths.cluster, '--workdir', lab.paths.folder, ...args], {
    KUBEXM_HOME: process.env['KUBEXM_HOME']!,
  });

test('a command runs as root on every host, and each line starts with the host name', async () => {
  const { exit, stdout, stderr } = await run('--', 'hostname; id -un; echo oops >&2');
  expect(exit, stderr).toBe(0);
  for (const name of ['node1', 'node2', 'node3']) {
    expect(stdout).toContain(`${name}  ${name}\n${name}  root\n`);
    expect(stderr).toContain(`${name}  oops\n`);
  }
  expect(existsSync(join(lab.paths.folder, '.kubexm', names.run, 'known_hosts'))).toBe(false);
});

test('hosts are selected by name, glob and role', async () => {
  expect((await run('--nodes', 'node2', '--', 'hostname')).stdout).toBe('node2  node2\n');
  expect((await run('--nodes', 'role:master', '--', 'hostname')).stdout).toBe('node1  node1\n');
  expect((await run('--nodes', 'node[12]', '--', 'true')).stderr).toContain('No host matches "node[12]"');
  expect((await run('--nodes', '*3,node1', '--as-user', '--', 'id -un')).stdout.split('\n').toSorted()).toEqual(
    ['', 'node1  ops', 'node3  ops'].toSorted(),
  );
});

test('reports the exit code of each failed host', async () => {
  const { exit, stderr } = await run('--', '[ "$(hostname)" != node2 ]');
  expect(stderr).toContain('It failed on these hosts (of 3 in total): node2 (exit 1).');
  expect(exit).toBe(12);
});

test('an unreachable host is quarantined, and the others continue', async () => {
  const machine = lab.machines.find(({ name }) => name === 'node3')!;
  await faults.cut.apply(machine);
  const { exit, stdout, stderr } = await run('-e', 'hosts.node3.timeout=3s', '--', 'hostname');
  await clearFaults(machine);
  expect(stdout.split('\n').toSorted()).toEqual(['', 'node1  node1', 'node2  node2']);
  expect(stderr).toContain('Completed on 2 of 3 hosts');
  expect(stderr).toContain('node3 is unreachable');
  expect(exit).toBe(3);
});

test('a wrong pinned host key is rejected with both fingerprints', async () => {
  const wrong = `SHA256:${'A'.repeat(43)}`;
  const { exit, stderr } = await run('--nodes', 'node1', '-e', `hosts.node1.hostKey=${wrong}`, '--', 'true');
  expect(stderr).toContain(wrong);
  expect(stderr.match(/SHA256:[A-Za-z0-9+/]{43}/g)?.length).toBeGreaterThan(1);
  expect(exit).toBe(11);
});

test('a wrong sudo password has its own error, and no password is printed', async () => {
  const refused = await run('--nodes', 'node1', '-e', 'hosts.node1.sudoPassword=canary-wrong', '-v', '--', 'true');
  expect(refused.stderr).toContain('SUDO_PASSWORD_WRONG');
  const json = await run('-o', 'json', '--', 'ps -eo args; cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"');
  expect(JSON.parse(json.stdout)).toHaveLength(3);
  expect(`${refused.stderr}${json.stdout}${json.stderr}`).not.toContain('canary-');
});
