import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signingKey } from '../../../src/resource/bundle/keys.ts';
import { saveContext } from '../../../src/state/contexts.ts';
import { lockFolder, newRunId, runPaths, writeRunInfo } from '../../../src/state/runs.ts';
import { ensureStateFolder } from '../../../src/state/workdir.ts';
import { localLockStore } from '../../../src/engine/lock/local-lock.ts';
import { openEventStore } from '../../../src/engine/event/event-store.ts';
import { openJournal } from '../../../src/engine/journal/journal.ts';
import { currentHolder } from '../../../src/engine/lock/holder.ts';
import { ensureFolder } from '../../../src/util/ensure-folder.ts';
import { withLock, withMachineLock } from '../../../src/util/process-lock.ts';
import { home } from '../cli/kubexm.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let workdir: string;
let kubexmHome: string;
beforeEach(() => {
  const folder = home();
  // As in a shared directory: other users may look into it.
  chmodSync(folder, 0o755);
  workdir = join(folder, 'work');
  kubexmHome = join(folder, 'home', '.kubexm');
  mkdirSync(workdir, { mode: 0o755 });
  vi.stubEnv('KUBEXM_HOME', kubexmHome);
  process.umask(0o022);
});
afterEach(() => vi.unstubAllEnvs());

/** Everything that a run writes besides certificates. */
async function writeEverything(): Promise<void> {
  await ensureStateFolder(workdir);
  const run = runPaths(workdir, 'prod', newRunId());
  await ensureFolder(run.folder, 0o700);
  await using _ = await openJournal({ path: run.journal });
  await writeRunInfo(run, {
    id: 'x',
    cluster: 'prod',
    pipeline: 'create-cluster',
    command: 'create cluster',
    line: '',
    owner: 'ada@desk',
    pid: 1,
    version: '1',
    started: new Date().toISOString(),
    hosts: {},
    goOn: '',
  });
  using _events = await openEventStore(join(workdir, '.kubexm', 'kubexm.db'));
  const holder = currentHolder({ what: 'create cluster', run: 'x' });
  await localLockStore(lockFolder(workdir, 'prod')).take({ holder, atLeast: 1, staleMs: 1000 });
  await saveContext({ name: 'prod', file: '/clusters/prod.yaml', workdir });
  await signingKey();
  await withLock('something', () => Promise.resolve());
}

describe('another user of this computer', () => {
  it('has no access to any file of kubexm but public keys', async () => {
    await writeEverything();
    const open = [join(workdir, '.kubexm'), kubexmHome].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => (statSync(path).mode & 0o077) !== 0),
    );
    expect(open.filter((path) => !path.endsWith('.pub.pem'))).toEqual([]);
    expect([workdir, kubexmHome].map((path) => existsSync(path))).toEqual([true, true]);
  });

  it.skipIf(!isRoot)('can neither list nor change them, nor hold locks of the machine', async () => {
    await writeEverything();
    await withMachineLock('other-user-test', () => Promise.resolve());
    const asNobody = (script: string) => execFileSync('/bin/sh', ['-c', script], { uid: NOBODY, encoding: 'utf8' });
    const denied = '2>/dev/null || echo denied';
    for (const folder of [join(workdir, '.kubexm'), kubexmHome, '/run/kubexm-locks']) {
      expect(asNobody(`ls ${folder} ${denied}`)).toBe('denied\n');
      expect(asNobody(`(: >${folder}/x) ${denied}`)).toBe('denied\n');
      expect(asNobody(`mv ${folder} ${folder}.old ${denied}`)).toBe('denied\n');
    }
  });

  it.skipIf(!isRoot)('cannot provide the folder for private keys in a shared directory', async () => {
    chmodSync(workdir, 0o1777);
    const planted = join(workdir, '.kubexm');
    mkdirSync(planted);
    chownSync(planted, NOBODY, NOBODY);
    await expect(ensureStateFolder(workdir)).rejects.toMatchObject({
      code: 'STATE_FOLDER_FOREIGN',
      message: expect.stringContaining('could read the private keys of the cluster'),
    });
    expect(readdirSync(planted)).toEqual([]);
  });

  it.skipIf(!isRoot)('owns the folder if root works in their directory', async () => {
    chownSync(workdir, NOBODY, NOBODY);
    mkdirSync(join(workdir, '.kubexm'));
    chownSync(join(workdir, '.kubexm'), NOBODY, NOBODY);
    await ensureStateFolder(workdir);
    expect(statSync(join(workdir, '.kubexm')).mode & 0o777).toBe(0o700);
  });
});
