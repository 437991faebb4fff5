import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { hostState } from '../lab/support/host-state.ts';
import { mirrorSpec, needsOfflineMirror, offlineMirror, VERSIONS } from '../lab/support/offline-mirror.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const API = 'kubexm.mensylisir.io/v1alpha1';
const MB = 1e6;
const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;

describe('a bundle for a whole cluster', { timeout: 1_800_000, ...(await needsOfflineMirror()) }, () => {
  let server: MirrorServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubexm-offline-'));
    server = await offlineMirror([VERSIONS.before, VERSIONS.after]);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const createBundle = async (version: string, name: string, ...more: readonly string[]) => {
    const file = join(folder, `${version}.yaml`);
    const cluster = parse(await readFile('examples/single-node.yaml', 'utf8'));
    const kubernetes = { ...cluster.spec.kubernetes, version: `v${version}` };
    const spec = { ...cluster.spec, kubernetes, ...mirrorSpec(server) };
    await writeFile(file, stringify({ ...cluster, spec }));
    const bundle = join(folder, name);
    const args = ['offline', 'package', '-f', file, '-o', bundle, '--arch', 'amd64', '--packages', 'none'];
    const { peak, stderr } = await runMeasured([...args, '--workdir', folder, ...more]);
    const key = /^Key +(\S+)$/m.exec(stderr)?.[1] ?? '';
    return { bundle, peak, key, size: (await stat(bundle)).size };
  };

  it('is created with little memory, and a delta bundle for the next version is small', async () => {
    const before = await createBundle(VERSIONS.before, 'before.tar.zst');
    const after = await createBundle(VERSIONS.after, 'after.tar.zst');
    const delta = await createBundle(VERSIONS.after, 'delta.tar.zst', '--base', before.bundle);
    const peak = Math.max(before.peak, after.peak, delta.peak);
    console.log(
      `bundle ${VERSIONS.before} ${megabytes(before.size)}, ${VERSIONS.after} ${megabytes(after.size)}, delta ${megabytes(delta.size)}; peak memory ${megabytes(peak)}`,
    );
    expect(peak).toBeLessThanOrEqual(300 * MB);
    expect(delta.size).toBeLessThan(0.6 * after.size);
    const { exit, stderr } = await kubexm(['offline', 'verify', delta.bundle, '--base', before.bundle], {
      KUBEXM_HOME: process.env['KUBEXM_HOME']!,
    });
    expect(exit, stderr).toBe(0);
  });

  it('installs containerd and runs a pod on three machines without network access', async () => {
    const lab = await labUp({ name: named('bundle'), machines: 3 });
    const { bundle, key } = await createBundle(VERSIONS.after, 'whole.tar.zst');
    const file = join(lab.paths.folder, 'offline.yaml');
    const { metadata, spec } = parse(await readFile(lab.paths.cluster, 'utf8'));
    const { artifacts, network } = parse(await readFile(join(folder, `${VERSIONS.after}.yaml`), 'utf8')).spec;
    const kubernetes = { ...spec.kubernetes, version: `v${VERSIONS.after}` };
    const { mirror: _, imageMirror: __, ...rest } = artifacts;
    const offline = { ...spec, kubernetes, network, artifacts: rest };
    await writeFile(file, stringify({ apiVersion: API, kind: 'Cluster', metadata, spec: offline }));
    await server.close();
    const env = { KUBEXM_HOME: join(folder, 'elsewhere'), https_proxy: 'http://127.0.0.1:9' };
    const call = (...args: readonly string[]) => kubexm([...args, '-f', file, '--workdir', lab.paths.folder], env);
    expect((await kubexm(['offline', 'verify', bundle, '--key', key], env)).exit).toBe(0);
    const before = await Promise.all(lab.machines.map(hostState));
    const create = ['create', 'cluster', '--skip-preflight', '--tags', 'prepare-assets,container-runtime'];
    const { exit, stderr } = await call(...create, '--offline-bundle', bundle);
    expect(exit, stderr).toBe(0);
    expect(stderr.match(/containerd\.prove +done/g)).toHaveLength(3);
    expect((await call(...create, '--offline')).stderr).toContain('Nothing to do');
    expect((await call('delete', 'cluster', '--yes')).exit).toBe(0);
    expect(await Promise.all(lab.machines.map(hostState))).toEqual(before);
  });
});

/** Runs kubexm. Returns its error output and the sum of the peak memory of all its processes. */
async function runMeasured(args: readonly string[]): Promise<{ readonly peak: number; readonly stderr: string }> {
  const child = spawn(resolve('bin/kubexm'), [...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const peaks = new Map<string, number>();
  while (child.exitCode === null && child.signalCode === null) {
    for (const pid of [String(child.pid), ...childrenOf(String(child.pid))]) {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readProc(`${pid}/status`)) ?? [];
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, Number(kilobytes) * 1024));
    }
    await sleep(20);
  }
  expect(await ended, stderr).toEqual([0, null]);
  return { peak: [...peaks.values()].reduce((all, one) => all + one, 0), stderr };
}

const childrenOf = (pid: string) => readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
