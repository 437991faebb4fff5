import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, expect } from 'vitest';
import { hashFile } from '../../../src/resource/cache/hash.ts';
import type { CachedFile, FoundFile } from '../../../src/step/transfer/cached-file.ts';
import { fileTree } from '../../../src/step/common/file-tree.ts';
import { installed } from '../../../src/step/transfer/installed.ts';
import { ownedDirectory } from '../../../src/step/common/owned-directory.ts';
import { SECRET, type StepCase } from './step-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-artifacts-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'bin'));
const names = ['bin/first', 'bin/second', 'bin/unwanted'];
for (const name of names) writeFileSync(join(folder, name), `#!/bin/sh\necho ${name}\n`);
writeFileSync(join(folder, 'single'), 'a program of one file\n');
await create({ cwd: folder, file: join(folder, 'it.tgz'), gzip: true }, names);

const memberOf = async (name: string) => ({ name, ...(await hashFile(join(folder, name))) });
const cached = (found: FoundFile): CachedFile => ({ title: 'it 1.0', find: () => Promise.resolve(found) });
const blobOf = async (name: string) => ({ ...(await hashFile(join(folder, name))), path: join(folder, name) });
const archive = cached({
  blob: await blobOf('it.tgz'),
  archive: true,
  members: await Promise.all(names.map(memberOf)),
});
const single = cached({ blob: await blobOf('single'), archive: false, members: [await memberOf('single')] });

export const artifactStepCases: readonly StepCase[] = [
  {
    of: 'installed',
    name: 'some programs of an archive, replacing an older one',
    given: `rm -f /usr/local/bin/second; echo old >/usr/local/bin/first; chmod 4711 /usr/local/bin/first; chown 4242:adm /usr/local/bin/first`,
    step: installed({
      name: 'it',
      file: archive,
      into: '/usr/local/bin',
      wanted: (name) => !name.includes('unwanted'),
    }),
    because: expect.stringMatching(/first: .*checksum differs, second: does not exist/),
  },
  {
    of: 'installed',
    name: 'a single-file program, in new directories',
    given: `mkdir -p /opt/kubexm-o; echo mine >/opt/kubexm-o/mine`,
    step: installed({ name: 'single', file: single, into: '/opt/kubexm-o/new/bin', mode: 0o700 }),
    because: 'single: does not exist',
  },
  {
    of: 'owned-directory',
    name: 'a new directory',
    step: ownedDirectory({ path: '/srv/kubexm-own/deep', mode: 0o711 }),
    because: expect.stringContaining('does not exist'),
  },
  {
    of: 'owned-directory',
    name: 'a directory with existing content',
    given: `mkdir -p /srv/kubexm-theirs; echo mine >/srv/kubexm-theirs/mine; chmod 750 /srv/kubexm-theirs`,
    step: ownedDirectory({ path: '/srv/kubexm-theirs' }),
    because: 'its original state is not recorded',
    invisible: true,
  },
  {
    of: 'file-tree',
    name: 'a new tree with a secret',
    step: fileTree({
      path: '/etc/kubexm-tree/certs.d',
      files: [
        { name: '[fd00::1]:5000/hosts.toml', content: `password ${SECRET}\n`, secret: true },
        { name: 'docker.io/hosts.toml', content: 'server = "x"\n', secret: false },
      ],
    }),
    because: expect.stringContaining('does not exist'),
    diff: expect.stringContaining('+server = "x"'),
  },
  {
    of: 'file-tree',
    name: 'replacing an existing tree',
    given: `mkdir -p /etc/kubexm-tree2/old/deep /etc/kubexm-tree2/kept; echo 1 >/etc/kubexm-tree2/old/deep/file; echo 2 >/etc/kubexm-tree2/kept/it; chmod 640 /etc/kubexm-tree2/kept/it`,
    step: fileTree({ path: '/etc/kubexm-tree2', files: [{ name: 'kept/it', content: '3\n', secret: false }] }),
    because: expect.stringMatching(/unexpected file old\/deep\/file, kept\/it: .*content differs/),
  },
];
