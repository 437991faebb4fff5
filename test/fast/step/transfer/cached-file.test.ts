import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openCache } from '../../../../src/resource/cache/cache.ts';
import type { FileItem } from '../../../../src/resource/item.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { cachedFile } from '../../../../src/step/transfer/cached-file.ts';
import { installed } from '../../../../src/step/transfer/installed.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { clusterWith } from '../preflight/check-input.ts';
import { home } from '../../cli/kubexm.ts';
import { connectorIn } from '../../connector/local-shell.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const item = (name: string): FileItem => ({
  type: 'file',
  name,
  version: '1.0.0',
  arch: 'amd64',
  url: `https://example.com/${name}`,
  checksumUrl: undefined,
  sha256: digestOf(name),
  format: 'elf',
  roles: ['worker'],
  path: name,
});

async function download(name: string): Promise<void> {
  const file = join(home(), name);
  writeFileSync(file, name);
  await openCache().add(file, { sha256: digestOf(name), size: name.length });
}

it('checks all programs of a host in one round trip once a first host has looked them up', async () => {
  vi.stubEnv('KUBEXM_HOME', home());
  const files = ['kubelet', 'kubectl', 'runc'].map(item);
  for (const { name } of files) await download(name);
  const folder = home();
  const { artifacts } = clusterWith();
  const check = async (name: string) => {
    const connector = connectorIn(folder);
    const host = { name, address: '', roles: [] };
    const runner = createRunner(connector, fakeFacts(name));
    const ctx = fakeContext(host, fakeHost(name), { runner });
    const parts = files.map((one) =>
      installed({ name: one.name, file: cachedFile({ files, artifacts }, one.name, ctx), into: folder }),
    );
    const findings = await Promise.all([runner.stat(folder), ...parts.map((part) => part.precheck(ctx))]);
    expect(findings.slice(1)).toMatchObject(files.map(() => ({ done: false })));
    return connector.roundTrips;
  };
  expect(await check('node1')).toBeGreaterThan(1);
  expect(await check('node2')).toBe(1);
});

it('finds a file that was downloaded after the first lookup', async () => {
  vi.stubEnv('KUBEXM_HOME', home());
  const files = [item('etcd')];
  const file = cachedFile(
    { files, artifacts: clusterWith().artifacts },
    'etcd',
    fakeContext({ name: 'a', address: '', roles: [] }, fakeHost('a')),
  );
  expect(await file.find()).toBeUndefined();
  await download('etcd');
  expect(await file.find()).toMatchObject({ blob: { size: 4 }, archive: false });
});
