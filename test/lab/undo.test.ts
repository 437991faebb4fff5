import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, expect, it } from 'vitest';
import { hashFile } from '../../src/resource/cache/hash.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import type { CachedFile } from '../../src/step/transfer/cached-file.ts';
import { installed } from '../../src/step/transfer/installed.ts';
import { ownedDirectory } from '../../src/step/common/owned-directory.ts';
import { clearCrio } from '../../src/step/container-runtime/crio/clear.ts';
import { harborData } from '../../src/step/registry/harbor/install.ts';
import { registryData } from '../../src/step/registry/data.ts';
import { undo } from '../../src/step/undo/undo.ts';
import { defineStep, type Step } from '../../src/step/contract/step.ts';
import { bootOneMachine } from './support/one-machine.ts';
import { runOnce as runStep } from './support/run-once.ts';
import type { MachineContext } from './support/step-context.ts';
import { labNames } from './support.ts';

const named = await labNames();
let machine: Machine;
let newContext: () => MachineContext;
bootOneMachine(named('reverse'), (one) => ({ machine, newContext } = one));

const folder = mkdtempSync(join(tmpdir(), 'kubexm-reverse-'));
afterAll(() => rmSync(folder, { recursive: true }));

const runOnce = (step: Step) => runStep(step, newContext());

async function release(version: string, names: readonly string[]): Promise<CachedFile> {
  const cwd = join(folder, version);
  mkdirSync(cwd);
  for (const name of names) writeFileSync(join(cwd, name), `${name} ${version}\n`);
  const path = join(folder, `${version}.tgz`);
  await create({ cwd, file: path, gzip: true }, [...names]);
  const members = await Promise.all(names.map(async (name) => ({ name, ...(await hashFile(join(cwd, name))) })));
  const found = { blob: { ...(await hashFile(path)), path }, archive: true, members };
  return { title: `it ${version}`, find: () => Promise.resolve(found) };
}

it('removes files installed by a later version and restores the ones it replaced', async () => {
  const into = '/opt/kubexm-later';
  await scriptOn(machine, `mkdir ${into}; echo mine >${into}/b; echo mine >${into}/theirs`);
  const step = (file: CachedFile) =>
    defineStep({
      name: 'it.install',
      summary: 'Install it',
      reversible: true,
      parts: () => [installed({ name: 'it', file, into })],
    });
  const last = step(await release('v3', ['c']));
  expect(await runOnce(step(await release('v1', ['a'])))).toBe(1);
  expect(await runOnce(step(await release('v2', ['a', 'b', 'c'])))).toBe(1);
  expect(await runOnce(last)).toBe(1);
  expect(await scriptOn(machine, `cd ${into}; cat a b c theirs`)).toBe('a v2\nb v2\nc v3\nmine\n');
  expect(await runOnce(undo('it.install', 'Undo it'))).toBe(1);
  expect(await scriptOn(machine, `cd ${into}; grep . *`)).toBe('b:mine\ntheirs:mine\n');
  expect(await runOnce(undo('it.install', 'Undo it'))).toBe(0);
});

it('restores directories named by an earlier cluster file', async () => {
  await scriptOn(machine, 'mkdir -p /srv/theirs; echo mine >/srv/theirs/mine');
  const step = (path: string) =>
    defineStep({
      name: 'it.data',
      summary: 'Make room',
      reversible: true,
      parts: () => [ownedDirectory({ path }), ownedDirectory({ path: '/srv/always' })],
    });
  for (const path of ['/srv/first/deep', '/srv/theirs', '/srv/second']) {
    await runOnce(step(path));
    await scriptOn(machine, `echo data >${path}/data`);
  }
  await runOnce(undo('it.data', 'Undo it'));
  expect(await scriptOn(machine, 'cd /srv; find . -mindepth 1 | sort')).toBe(
    './theirs\n./theirs/data\n./theirs/mine\n',
  );
  expect(await runOnce(undo('it.data', 'Undo it'))).toBe(0);
});

it('unmounts what a program has mounted below its directory, and nothing else', async () => {
  const step = defineStep({
    name: 'it.mounts',
    summary: 'Make room',
    reversible: true,
    parts: () => [ownedDirectory({ path: '/run/it' }), ownedDirectory({ path: '/srv/it' })],
  });
  await scriptOn(
    machine,
    'mkdir -p /srv/it /srv/it-other; mount -t tmpfs disk /srv/it; mount -t tmpfs other /srv/it-other',
  );
  await runOnce(step);
  await scriptOn(
    machine,
    `mkdir -p '/run/it/a b/deep' /srv/it/below; mount -t tmpfs one '/run/it/a b'; mkdir '/run/it/a b/deep'
mount -t tmpfs two '/run/it/a b/deep'; echo data >'/run/it/a b/deep/data'; mount -t tmpfs three /srv/it/below`,
  );
  await runOnce(undo('it.mounts', 'Undo it'));
  expect(
    await scriptOn(machine, "ls -d /run/it 2>/dev/null || true; ls -A /srv/it; grep -o ' /srv/[^ ]*' /proc/mounts"),
  ).toBe(' /srv/it\n /srv/it-other\n');
  await scriptOn(machine, 'umount /srv/it /srv/it-other; rmdir /srv/it /srv/it-other');
});

it('leaves network namespaces of other programs alone', async () => {
  const step = defineStep({
    name: 'it.netns',
    summary: 'Make room',
    reversible: true,
    parts: () => [ownedDirectory({ path: '/run/netns' })],
  });
  await runOnce(step);
  await scriptOn(machine, 'ip netns add theirs');
  await runOnce(undo('it.netns', 'Undo it'));
  expect(await scriptOn(machine, 'ip netns')).toBe('theirs\n');
  await scriptOn(machine, 'ip netns delete theirs; umount /run/netns; rmdir /run/netns');
});

it('removes registry data from every directory it was kept in, whatever the cluster file says now', async () => {
  await scriptOn(machine, 'groupadd -r kubexm-registry; useradd -r -g kubexm-registry kubexm-registry');
  for (const path of ['/mnt/one', '/mnt/two']) {
    await runOnce(registryData(path));
    await scriptOn(machine, `mkdir ${path}/docker/registry`);
    await runOnce(harborData(`${path}-harbor`));
    await scriptOn(machine, `mkdir ${path}-harbor/database`);
  }
  await runOnce(undo('registry.data', 'Undo it'));
  await runOnce(undo('harbor.data', 'Undo it'));
  expect(await scriptOn(machine, 'ls -A /mnt /var/lib/kubexm-before/*.data 2>/dev/null || true')).not.toContain('one');
  expect(await scriptOn(machine, 'ls -A /mnt')).toBe('');
});

it('removes only the processes and mounts of CRI-O containers', async () => {
  expect(await runOnce(clearCrio), 'leaves a CRI-O alone that kubexm did not install').toBe(0);
  await scriptOn(
    machine,
    `mkdir -p /etc/crio/crio.conf.d /var/lib/kubexm-before/cri-o.run/x /srv/crio/a /srv/crio-of-others
echo '# Written by kubexm.' >/etc/crio/crio.conf.d/10-kubexm.conf
echo /srv/crio >/var/lib/kubexm-before/cri-o.run/x/place
mount -t tmpfs a /srv/crio/a; mkdir '/srv/crio/a/b c'; mount -t tmpfs b '/srv/crio/a/b c'; mount -t tmpfs c /srv/crio-of-others
bash -c 'exec -a "/usr/bin/conmon --exit-dir /run/crio/exits" sleep 900' >/dev/null 2>&1 &
bash -c 'exec -a "/usr/bin/conmon --exit-dir /run/libpod/exits" sleep 900' >/dev/null 2>&1 &`,
  );
  expect(await runOnce(clearCrio)).toBe(1);
  expect(await scriptOn(machine, "grep -o ' /srv/[^ ]*' /proc/mounts; pgrep -af conmon | sed 's/^[0-9]* //'")).toBe(
    ' /srv/crio-of-others\n/usr/bin/conmon --exit-dir /run/libpod/exits 900\n',
  );
  await scriptOn(machine, 'umount /srv/crio-of-others; pkill -f libpod || true');
});
