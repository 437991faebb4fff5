import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fail } from '../../../../src/common/errors/errors.ts';
import { contentSource } from '../../../../src/connector/upload-source.ts';
import type { ClusterLock } from '../../../../src/engine/lock/lock.ts';
import { fencedConnector } from '../../../../src/runtime/session/fenced-connector.ts';
import { connectorIn } from '../../connector/local-shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-fence-'));
  mkdirSync(join(folder, 'lock'));
  mkdirSync(join(folder, 'etc'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { uid, gid } = userInfo();
const target = () => ({ path: join(folder, 'etc', 'file'), mode: 0o600, owner: `${uid}:${gid}` });

/** The lock with token 7, as a run holds it that does not know yet that another run took over. */
const lock: ClusterLock = {
  fence: 7,
  numberOn: () => 7,
  lost: new AbortController().signal,
  join: () => Promise.resolve(),
  during: (_host, change) => change(),
  renew: () => Promise.resolve(),
  check: () => {
    throw fail('LOCK_LOST', { cluster: 'prod', owner: 'bob@desk', where: 'node1' });
  },
  removeOnRelease: () => {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

it('changes a host while the lock is held', async () => {
  await using connector = connectorIn(folder);
  const fenced = fencedConnector(connector, { cluster: 'prod', lock, folder: join(folder, 'lock') });
  writeFileSync(join(folder, 'lock', '7'), '');
  expect(await fenced.exec('echo ran')).toMatchObject({ exit: 0, stdout: 'ran\n' });
  await fenced.upload(contentSource('text'), target());
  expect(readdirSync(join(folder, 'etc'))).toEqual(['file']);
});

it('neither runs a script nor uploads a file once the lock is lost', async () => {
  await using connector = connectorIn(folder);
  const fenced = fencedConnector(connector, { cluster: 'prod', lock, folder: join(folder, 'lock') });
  writeFileSync(join(folder, 'lock', '8'), '');
  await expect(fenced.exec(`touch ${folder}/etc/script`)).rejects.toMatchObject({ code: 'LOCK_LOST' });
  await expect(fenced.upload(contentSource('text'), target())).rejects.toMatchObject({ code: 'LOCK_LOST' });
  expect(readdirSync(join(folder, 'etc'))).toEqual([]);
});
