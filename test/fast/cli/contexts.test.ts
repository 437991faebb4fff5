import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveContext, readContexts, removeContext } from '../../../src/state/contexts.ts';
import { home, kubexm } from './kubexm.ts';

let folder = '';
beforeEach(() => {
  folder = home();
  vi.stubEnv('KUBEXM_HOME', folder);
});
afterEach(() => vi.unstubAllEnvs());

const context = (name: string) => ({ name, file: `/clusters/${name}.yaml`, workdir: '/clusters' });
const call = (...args: string[]) => kubexm(['config', ...args], { KUBEXM_HOME: folder });

it('lists, selects and shows contexts', async () => {
  await saveContext(context('prod'));
  await saveContext(context('staging'));
  expect((await call('get-contexts')).stdout).toBe(
    [
      'CURRENT   NAME      FILE                     WORKDIR',
      '*         prod      /clusters/prod.yaml      /clusters',
      '          staging   /clusters/staging.yaml   /clusters',
      '',
    ].join('\n'),
  );
  expect((await call('use-context', 'staging')).stdout).toBe('Switched to context staging.\n');
  expect((await call('view')).stdout).toContain('currentContext: staging');
  expect(JSON.parse((await call('get-contexts', '-o', 'json')).stdout).current).toBe('staging');
  expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o600);
});

it('unsets the current context when it is removed', async () => {
  await saveContext(context('prod'));
  await removeContext('prod');
  expect(await readContexts()).toEqual({ current: undefined, contexts: [] });
  expect((await call('get-contexts')).stderr).toContain('There are no contexts.');
});

it('rejects an unknown context', async () => {
  await saveContext(context('prod'));
  const { exit, stderr } = await call('use-context', 'prd');
  expect(exit).toBe(10);
  expect(stderr).toContain('Context prd not found');
  expect(stderr).toContain('Existing contexts: prod.');
});

it.each(['[', 'contexts: 5', 'contexts: [{name: 1}]', '- a', '"x"'])(
  'rejects a config file with the content %s',
  async (text) => {
    writeFileSync(join(folder, 'config'), text);
    const { exit, stderr } = await call('get-contexts');
    expect(exit).toBe(10);
    expect(stderr).toContain('is invalid');
  },
);
