import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { home, kubexm } from './kubexm.ts';

const FILE = resolve('test/fixtures/full.yaml');

it.each(['delete cluster', 'delete registry'])('%s without a terminal requires --yes', async (command) => {
  const workdir = home();
  const { exit, stdout, stderr } = await kubexm([...command.split(' '), '-f', FILE, '--workdir', workdir]);
  expect(stderr).toContain('not confirmed');
  expect(stderr).toContain(`kubexm ${command} -f ${FILE} --yes`);
  expect(exit).toBe(14);
  expect(stdout).toBe('');
  // No run was started.
  expect(readdirSync(workdir)).toEqual([]);
});
