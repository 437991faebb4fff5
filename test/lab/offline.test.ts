import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { hostState } from './support/host-state.ts';
import { mirrorSpec, needsOfflineMirror, offlineMirror, VERSIONS } from './support/offline-mirror.ts';
import { labNames, sshText } from './support.ts';

const named = await labNames();
const home = process.env['KUBEXM_HOME']!;

describe('a bundle', await needsOfflineMirror(), () => {
  let lab: Lab;
  let server: MirrorServer;
  let folder: string;
  let file: string;
  let bundle: string;
  let key: string;
  beforeAll(async () => {
    [lab, server, folder] = await Promise.all([
      labUp({ name: named('offline'), machines: 1 }),
      offlineMirror(),
      mkdtemp(join(tmpdir(), 'kubexm-offline-')),
    ]);
    file = join(folder, 'cluster.yaml');
    bundle = join(folder, 'bundle.tar.zst');
    const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
    const kubernetes = { ...cluster.spec.kubernetes, version: `v${VERSIONS.after}` };
    const spec = { ...cluster.spec, kubernetes, system: { debs: ['jq'] }, ...mirrorSpec(server) };
    await writeFile(file, stringify({ ...cluster, spec }));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (kubexmHome: string, ...args: readonly string[]) =>
    kubexm([...args, '--workdir', folder], { KUBEXM_HOME: kubexmHome, https_proxy: 'http://127.0.0.1:9' });
  /** Runs kubexm and kills it as soon as the condition is true. */
  const killWhen = async (kubexmHome: string, condition: () => boolean, ...args: readonly string[]) => {
    const env = { ...process.env, KUBEXM_HOME: kubexmHome };
    const child = spawn(resolve('bin/kubexm'), [...args, '--workdir', folder], { env, stdio: 'ignore' });
    const ended = once(child, 'close');
    await vi.waitUntil(() => child.exitCode !== null || condition(), { timeout: 240_000, interval: 5 });
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  };
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

  it('is not created if kubexm is killed while writing, and the next run repeats no request', async () => {
    const args = ['offline', 'package', '-f', file, '-o', bundle];
    const before = await hostState(lab.machines[0]!);
    const dry = await call(home, ...args, '--dry-run');
    expect([dry.exit, dry.stderr]).toEqual([0, expect.stringMatching(/Would resolve packages on node1: .*jq/)]);
    expect(await hostState(lab.machines[0]!)).toEqual(before);
    expect(existsSync(bundle)).toBe(false);
    await killWhen(home, () => sizeOf(`${bundle}.partial`) > 1_000_000, ...args);
    expect(existsSync(bundle)).toBe(false);
    const requestCount = server.requests().length;
    const { exit, stderr } = await call(home, ...args);
    expect(exit, stderr).toBe(0);
    expect(server.requests()).toHaveLength(requestCount);
    expect(existsSync(`${bundle}.partial`)).toBe(false);
    key = /SHA256:\S+/.exec(stderr)![0];
    expect(await sshText(lab, 'node1', 'ls /var/tmp | grep kubexm; true')).toBe('');
  });

  it('prepares a host without network from an empty home, and leaves its apt configuration unchanged', async () => {
    await server.close();
    await scriptOn(
      lab.machines[0]!,
      'echo "deb http://127.0.0.1:9/debian bookworm main" >/etc/apt/sources.list; rm -rf /var/lib/apt/lists/*',
    );
    const sources = 'find /etc/apt -type f -exec sha256sum {} + | sort';
    const before = await sshText(lab, 'node1', sources);
    const emptyHome = join(folder, 'home');
    const early = await call(emptyHome, 'create', 'cluster', '-f', file, '--offline', '--tags', 'infrastructure');
    expect([early.exit, early.stderr]).toEqual([expect.any(Number), expect.stringContaining('OFFLINE_PACKAGES')]);
    expect(early.stderr).toMatch(/No loaded bundle has these packages for debian-12: .*jq/);
    const verified = await call(emptyHome, 'offline', 'verify', bundle, '--key', key);
    expect(verified.exit, verified.stderr).toBe(0);
    expect(verified.stdout).toMatch(/8 files, 6 images, \d+ packages for debian-12/);
    const skip = ['--skip-preflight', '--skip-tags', 'etcd,kubernetes,network'];
    const create = ['create', 'cluster', '-f', file, ...skip, '--offline-bundle', bundle];
    await killWhen(emptyHome, () => existsSync(join(emptyHome, 'cache', 'loading')), ...create);
    const { exit, stderr } = await call(emptyHome, ...create);
    expect(exit, stderr).toBe(0);
    expect(await sshText(lab, 'node1', 'jq --version')).toMatch(/^jq-/);
    expect(await sshText(lab, 'node1', `test ! -e /var/lib/kubexm/packages; ${sources}`)).toBe(before);
    const all = await call(emptyHome, 'download', 'artifacts', '-f', file, '--images', '--offline');
    expect(all.exit, all.stderr).toBe(0);
  });
});
