import { expect, test } from 'vitest';
import { kubexm } from '../fast/cli/kubexm.ts';
import { labNames } from './support.ts';

const named = await labNames();
const lab = named('cli');
const call = (...args: readonly string[]) => kubexm(args, { KUBEXM_HOME: process.env['KUBEXM_HOME']! });
const inLab = (...args: readonly string[]) => call('lab', ...args, '--name', lab);

test('the lab commands create, use and remove a lab', async () => {
  const preview = await inLab('up', '--machines', '1', '--dry-run');
  expect(preview.stdout).toContain('Would boot node1.');
  expect((await inLab('status')).exit).toBe(10);

  const up = await inLab('up', '--machines', '1');
  expect(up.exit, up.stderr).toBe(0);
  expect(up.stderr).toMatch(/1 machine up in \d+\.\d s, \d+ MB/);
  expect((await inLab('up', '--machines', '1', '--dry-run')).stdout).toBe('Nothing to do.\n');

  expect((await call('config', 'get-contexts')).stdout).toContain(`*         lab-${lab}`);
  const valid = await call('validate', 'cluster');
  expect(valid.stdout).toContain(`Cluster     ${lab}\n  Hosts       1 (1 etcd, 1 master, 1 worker)\n`);
  expect(valid.stderr).toBe('');

  const [status] = JSON.parse((await inLab('status', '-o', 'json')).stdout);
  expect(status).toMatchObject({
    lab,
    machines: [{ name: 'node1', state: 'running', systemd: 'running', faults: [] }],
  });

  const session = await call('lab', 'ssh', '--name', lab, 'node1', '--', 'hostname; exit 7');
  expect(session).toMatchObject({ stdout: 'node1\n', exit: 7 });
  expect((await inLab('ssh', 'node9')).stderr).toContain('node1');

  expect((await inLab('fault', 'pause', 'node1', '--dry-run')).stdout).toBe('Would apply pause to node1.\n');
  await inLab('fault', 'pause', 'node1');
  expect((await inLab('fault', 'list')).stdout).toContain('pause');
  await inLab('fault', 'clear', 'node1');
  expect((await inLab('status')).stdout).toMatch(/node1 .* running +running/);

  expect((await inLab('down', '--dry-run')).stdout).toContain('Would remove node1 with all data.');
  expect((await inLab('down')).stderr).toMatch(/^Removed lab \S+ \(1 machine\)\.$/m);
  expect((await inLab('down')).stderr).toContain('Nothing to remove');
  expect((await call('config', 'get-contexts')).stderr).toContain('There are no contexts.');
});
