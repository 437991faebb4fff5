import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import type { ProgramResult } from '../../src/connector/program.ts';
import { labDown } from '../../src/lab/down.ts';
import { labPaths, labsFolder } from '../../src/lab/paths.ts';
import { ensurePrerequisites } from '../../src/lab/prerequisites.ts';
import { run, tryRun } from '../../src/lab/run.ts';
import type { Lab } from '../../src/lab/up.ts';

/** Returns a function that names the labs of one test file. They get their own KUBEXM_HOME and are removed at the end. */
export async function labNames(): Promise<(name: string) => string> {
  await ensurePrerequisites(() => {});
  const home = await mkdtemp(join(tmpdir(), 'kubexm-test-'));
  process.env['KUBEXM_HOME'] = home;
  const given = new Set<string>();
  afterAll(async () => {
    for (const name of given) await labDown(name);
    await rm(home, { recursive: true, force: true });
  });
  return (name) => {
    const full = `t${process.pid.toString(36)}-${name}`;
    given.add(full);
    return full;
  };
}

/** Runs a command on a machine of a lab with the ssh program. `flags` override the defaults. */
export async function ssh(
  lab: Lab | string,
  machine: string,
  command: string,
  ...flags: readonly string[]
): Promise<ProgramResult> {
  const { sshConfig } = labPaths(typeof lab === 'string' ? lab : lab.name);
  const defaults = ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=60'];
  return tryRun(['ssh', '-F', sshConfig, ...flags, ...defaults, machine, command]);
}

/** Like `ssh`, but returns stdout without the trailing newline and fails unless the exit code is 0. */
export async function sshText(lab: Lab | string, machine: string, command: string): Promise<string> {
  const { exit, stdout, stderr } = await ssh(lab, machine, command);
  expect(exit, stderr).toBe(0);
  return stdout.trimEnd();
}

/**
 * Everything on this computer that a lab could leave behind. While other labs run on this computer, only objects with
 * the names of our labs are included.
 */
export async function traces(): Promise<Traces> {
  const all = await allTraces();
  const named = [...all['containers']!, ...all['networks']!].filter((name) => name !== DEFAULT_NETWORK);
  return named.every(isOurs) ? all : ourTraces(all);
}

const DEFAULT_NETWORK = 'podman';

type Traces = Readonly<Record<string, readonly string[]>>;

const isOurs = (name: string) => name.includes(`t${process.pid.toString(36)}-`);

function ourTraces(all: Traces): Traces {
  const named = ['containers', 'networks', 'volumes'].map((kind) => [kind, all[kind]!.filter(isOurs)] as const);
  return Object.fromEntries([...named, ['files', all['files']!]]);
}

/** Expects the same traces as before. */
export async function expectTraces(before: Traces): Promise<void> {
  expect(ourTraces(await traces())).toEqual(ourTraces(before));
  // Rules, routes and links have no names: another lab that is being created or removed has some for a moment.
  await vi.waitFor(
    async () => {
      const after = await traces();
      const alone = Object.keys(before).length === Object.keys(after).length;
      expect(alone ? after : ourTraces(after)).toEqual(alone ? before : ourTraces(before));
    },
    { timeout: 60_000, interval: 1000 },
  );
}

async function allTraces(): Promise<Traces> {
  const lines = async (...argv: readonly string[]) => (await run(argv)).split('\n').filter(Boolean).toSorted();
  return {
    containers: await lines('podman', 'ps', '--all', '--format', '{{.Names}}'),
    networks: await lines('podman', 'network', 'ls', '--format', '{{.Name}}'),
    volumes: await lines('podman', 'volume', 'ls', '--quiet'),
    rules: [...(await lines('ip', '-4', 'rule', 'show')), ...(await lines('ip', '-6', 'rule', 'show'))],
    routes: [
      ...(await lines('ip', '-4', 'route', 'show', 'table', 'all')),
      ...(await lines('ip', '-6', 'route', 'show', 'table', 'all')),
    ].filter((route) => /10\.177\.|table 177\d\d/.test(route)),
    links: (await lines('ip', '-brief', 'link', 'show')).map((line) => line.split(' ')[0] ?? ''),
    namespaces: await lines('ip', 'netns', 'list'),
    loops: await lines('losetup', '--list', '--noheadings', '--output', 'NAME,BACK-FILE'),
    inotify: [(await readFile('/proc/sys/fs/inotify/max_user_instances', 'utf8')).trim()],
    forwarding: [(await readFile('/proc/sys/net/ipv4/ip_forward', 'utf8')).trim()],
    files: (await tryRun(['find', labsFolder()])).stdout.split('\n').filter(Boolean).toSorted(),
    memory: (await readdir('/run')).filter((name) => name.startsWith('kubexm')),
  };
}
