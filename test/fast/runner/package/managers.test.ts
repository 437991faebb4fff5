import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExecResult } from '../../../../src/connector/connector.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import type { Facts } from '../../../../src/runner/facts.ts';
import { factsFrom } from '../../../../src/runner/facts/gather.ts';
import { waitForLocks, lastHolder } from '../../../../src/runner/package/lock.ts';

interface Response extends Partial<ExecResult> {
  readonly lines?: readonly string[];
}

function host(packageManager: Facts['packageManager'], response: Response = {}) {
  const scripts: string[] = [];
  const respond = (script: string, onLine?: (line: string, stream: 'stdout') => void) => {
    scripts.push(script);
    for (const line of response.lines ?? []) onLine?.(line, 'stdout');
    return Promise.resolve({ exit: 0, stdout: '', stderr: '', ...response });
  };
  const facts = { ...factsFrom('node1', '\n== arch\nx86_64\n', 0), packageManager };
  const runner = createRunner(
    {
      host: 'node1',
      rootFolders: [],
      roundTrips: 0,
      bootId: undefined,
      query: (script) => respond(script),
      exec: (script, options) => respond(script, options?.onLine),
      checkNewConnection: () => Promise.resolve(),
      upload: () => Promise.resolve(),
      download: () => Promise.resolve(),
      tunnel: () => Promise.reject(new Error('not here')),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    facts,
  );
  return { runner, scripts, last: () => scripts.at(-1)?.trimEnd().split('\n').at(-1) };
}

it('installs and removes with dnf', async () => {
  const { runner, last } = host('dnf');
  await runner.packages.install(['socat', 'conntrack-tools']);
  expect(last()).toBe(
    'dnf -y -q --setopt=install_weak_deps=False --setopt=keepcache=False --setopt=strict=True install socat conntrack-tools </dev/null',
  );
  await runner.packages.remove(['socat']);
  expect(last()).toBe('dnf -y -q --setopt=clean_requirements_on_remove=False remove socat </dev/null');
});

it('finds the names of dependent packages with rpm', async () => {
  const stdout = `== socat
== libjq
error: Failed dependencies:
\tlibjq.so.1()(64bit) is needed by (installed) jq-1.6-17.el9.x86_64
\tlibjq.so.1()(64bit) is needed by (installed) mine-2-1.noarch
==${' '}
jq-1.6-17.el9.x86_64\tjq
mine-2-1.noarch\tmine
`;
  const { runner } = host('dnf', { stdout });
  expect(await runner.packages.neededBy(['socat', 'libjq'])).toEqual(
    new Map([
      ['socat', []],
      ['libjq', ['jq', 'mine']],
    ]),
  );
});

it('installs and removes with yum', async () => {
  const { runner, last } = host('yum');
  await runner.packages.install(['socat']);
  expect(last()).toBe(
    'yum -y -q --setopt=skip_missing_names_on_install=False --setopt=keepcache=0 install socat </dev/null',
  );
  await runner.packages.remove(['socat']);
  expect(last()).toBe('yum -y -q --setopt=clean_requirements_on_remove=0 remove socat </dev/null');
});

it('queries installed packages with rpm, by name or all', async () => {
  const stdout = 'socat\t1.7.4.1-5.el9\npackage nginx is not installed\n';
  const { runner, last } = host('dnf', { stdout, exit: 1 });
  expect(await runner.packages.installed(['socat', 'nginx'])).toEqual(new Map([['socat', '1.7.4.1-5.el9']]));
  expect(last()).toBe(String.raw`LC_ALL=C rpm -q --qf '%{NAME}\t%{VERSION}-%{RELEASE}\n' socat nginx`);
  await runner.packages.installed();
  expect(last()).toMatch(/ -a$/);
});

it('queries dpkg, and ignores partly installed packages', async () => {
  const stdout = 'jq\t1.6-2.1\tii \nnano\t7.2\trc \ntree\t2.1\tiU \nhold\t1\thi \n';
  const { runner, scripts } = host('apt', { stdout, exit: 1 });
  expect(await runner.packages.installed(['jq', 'nano', 'tree', 'hold'])).toEqual(
    new Map([
      ['jq', '1.6-2.1'],
      ['hold', '1'],
    ]),
  );
  expect(await runner.packages.leftovers()).toEqual(['nano']);
  expect(scripts[0]).toMatch(/^dpkg-query -W [^]* jq nano tree hold 2>/);
});

it('installs with apt: noninteractive, keeps configuration files, waits for the lock', async () => {
  const { runner, scripts } = host('apt');
  await runner.packages.install(['jq', "it's"]);
  expect(scripts[0]).toContain(`apt-get $options install jq 'it'\\''s'`);
  for (const word of [
    'DEBIAN_FRONTEND=noninteractive',
    '--no-install-recommends',
    'DPkg::Lock::Timeout=600',
    '--force-confold',
    'dpkg --force-confdef --force-confold --configure -a',
  ]) {
    expect(scripts[0]).toContain(word);
  }
});

it('reports the lock holder on timeout', async () => {
  const { runner } = host('dnf', { exit: 75, lines: ['the lock is held by /usr/bin/dnf upgrade (pid 812)'] });
  await expect(runner.packages.install(['socat'])).rejects.toMatchObject({
    code: 'PACKAGE_LOCKED',
    message: expect.stringContaining('/usr/bin/dnf upgrade (pid 812)'),
  });
});

it.each([
  ['apt', 'E: Unable to locate package conntrak'],
  ['apt', "E: Package 'conntrak' has no installation candidate"],
  ['dnf', 'Error: Unable to find a match: conntrak'],
  ['dnf', 'No match for argument: conntrak'],
  ['yum', 'No package conntrak available.'],
] as const)('reports unknown packages: %s, %s', async (manager, line) => {
  const { runner } = host(manager, { exit: 1, lines: [line] });
  await expect(runner.packages.install(['conntrak'])).rejects.toMatchObject({
    code: 'PACKAGE_NOT_FOUND',
    report: { message: expect.stringContaining('conntrak') },
  });
});

it.each([
  [
    'apt',
    "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Could not resolve 'deb.debian.org'",
  ],
  ['dnf', "Error: Failed to download metadata for repo 'baseos': Cannot prepare internal mirrorlist"],
  ['yum', 'Cannot find a valid baseurl for repo: base/7/x86_64'],
] as const)('distinguishes an unreachable repository from an unknown package: %s', async (manager, line) => {
  const { runner } = host(manager, { exit: 1, lines: [line, 'E: Unable to locate package socat'] });
  await expect(runner.packages.install(['socat'])).rejects.toMatchObject({ code: 'PACKAGE_REPOSITORY_UNREACHABLE' });
});

it.each(['apt', 'dnf', 'yum'] as const)('uses valid POSIX shell scripts: %s', async (manager) => {
  const { runner, scripts } = host(manager);
  await runner.packages.install(['socat', "it's"]);
  await runner.packages.remove(['socat']);
  await runner.packages.removeKeepingConfiguration(['socat']);
  expect(scripts.length).toBe(3);
  for (const script of scripts) execFileSync('/bin/sh', ['-n'], { input: script });
});

it('waits for the process that holds the rpm lock, but not for one that reused its pid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-lock-'));
  const pidFile = join(folder, 'lock.pid');
  const wait = waitForLocks({ locked: [], pidFiles: [pidFile] }, 1);
  const run = () => spawnSync('/bin/sh', ['-c', `${wait}kubexm_wait`], { encoding: 'utf8' });
  writeFileSync(pidFile, `${process.pid}\n`);
  expect(run()).toMatchObject({ status: 0, stdout: '' });
  const dnf = join(folder, 'dnf');
  copyFileSync('/bin/sleep', dnf);
  chmodSync(dnf, 0o755);
  const holder = spawn(dnf, ['60']);
  await once(holder, 'spawn');
  writeFileSync(pidFile, `${holder.pid}\n`);
  const { status, stdout, stderr } = run();
  holder.kill();
  rmSync(folder, { recursive: true });
  expect(status).toBe(75);
  expect(stdout).toContain(`held by ${dnf} 60 (pid ${holder.pid})`);
  expect(lastHolder(stderr)).toBe(`${dnf} 60 (pid ${holder.pid})`);
});

it('reports a missing package manager', () => {
  const { runner } = host(undefined);
  expect(() => runner.packages).toThrow(/Neither apt-get, dnf nor yum is installed/);
});
