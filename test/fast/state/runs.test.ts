import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { readRunInfo, runPaths, writeRunInfo } from '../../../src/state/runs.ts';
import { ensureFolder } from '../../../src/util/ensure-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-runs-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps no secret of the command line in run.json', async () => {
  const secret = new Secret('Argv-canary-8').reveal();
  const paths = runPaths(folder, 'prod', '20261117-101402-3f9a');
  await ensureFolder(dirname(paths.info), 0o700);
  await writeRunInfo(paths, {
    id: '20261117-101402-3f9a',
    cluster: 'prod',
    pipeline: 'create-cluster',
    command: 'create cluster',
    selection: '',
    line: `kubexm create cluster -e token=${secret}`,
    owner: 'ada@desk',
    pid: 1,
    version: '0.1.0',
    started: '2026-11-17T10:14:02Z',
    hosts: { node1: 3 },
    goOn: `kubexm create cluster -e token=${secret} --resume`,
  });
  expect(readFileSync(paths.info, 'utf8')).not.toContain(secret);
  expect(await readRunInfo(paths)).toMatchObject({
    line: 'kubexm create cluster -e token=•••',
    goOn: 'kubexm create cluster -e token=••• --resume',
  });
});
