import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { hostState } from '../lab/support/host-state.ts';
import { needsRuntimeMirror, runtimeClusterFile, RUNTIME, runtimeMirror } from '../lab/support/runtime-mirror.ts';
import { labNames, sshText } from '../lab/support.ts';

const named = await labNames();
const name = named('docker');

// cri-dockerd is not available here and replaced by a program that fails; everything before it is real.
describe('docker from Debian packages', await needsRuntimeMirror(), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let files: Server;
  let file: string;
  let before: readonly string[];
  const on = (command: string) => sshText(lab, 'node1', command);
  const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
  const create = (...args: readonly string[]) =>
    call('create', 'cluster', '--skip-preflight', '--skip-tags', 'infrastructure', ...args);
  const BEFORE_CRI_DOCKERD =
    '--tags=prepare-assets,docker.note,docker.packages,docker.run,cri-dockerd.install,docker.import-images';

  beforeAll(async () => {
    lab = await labUp({ name, machines: 1 });
    mirror = await runtimeMirror(lab);
    const archive = fakeCriDockerd(lab.paths.folder);
    files = createServer((_, response) => response.end(archive)).listen(0, '127.0.0.1');
    file = await dockerCluster(await runtimeClusterFile(lab, mirror), archive, files);
    before = await hostState(lab.machines[0]!);
  });
  afterAll(async () => {
    files.close();
    await mirror.close();
  });

  it('leaves neither docker0 nor rules if its installation is rolled back', async () => {
    const { exit, stderr } = await create('--tags=prepare-assets,container-runtime');
    expect(exit, stderr).toBe(12);
    expect(stderr).toContain('rolled back');
    expect(
      await on('ls -d /sys/class/net/docker0 /var/lib/cri-dockerd /run/cri-dockerd.sock 2>/dev/null || true'),
    ).toBe('');
    expect(await hostState(lab.machines[0]!)).toEqual(before);
  });

  it('runs with the configured settings and has the cluster images', async () => {
    const { exit, stderr } = await create(BEFORE_CRI_DOCKERD);
    expect(exit, stderr).toBe(0);
    expect(await on(`docker info -f '{{.CgroupDriver}} {{.LiveRestoreEnabled}}'`)).toBe('systemd true');
    expect(await on(`docker image inspect -f '{{index .RepoTags 0}}' ${RUNTIME.pause}`)).toBe(RUNTIME.pause);
    await on(`docker run -d --network host --name kept ${RUNTIME.pause}`);
    expect(await on(`docker ps --format '{{.Names}}'`)).toBe('kept');
    const again = await create(BEFORE_CRI_DOCKERD);
    expect(again.stderr).toContain('Nothing to do');
  });

  it('names the failed service if cri-dockerd is unavailable', async () => {
    const { exit, stderr } = await create('--no-rollback', '--tags=prepare-assets,container-runtime');
    expect(exit).toBe(12);
    expect(stderr).toContain('cri-docker.service');
    expect(stderr).toContain('there is no cri-dockerd here');
  });

  it('is removed with its containers, and the machine is restored', async () => {
    const { exit, stderr } = await call('delete', 'cluster', '--yes');
    expect(exit, stderr).toBe(0);
    expect(await hostState(lab.machines[0]!)).toEqual(before);
  });
});

function fakeCriDockerd(folder: string): Buffer {
  const at = join(folder, 'stand-in', 'cri-dockerd');
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'cri-dockerd'), '#!/bin/sh\necho there is no cri-dockerd here >&2\nexit 1\n');
  chmodSync(join(at, 'cri-dockerd'), 0o755);
  const archive = join(folder, 'cri-dockerd.tgz');
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'stand-in'), 'cri-dockerd']);
  return readFileSync(archive);
}

async function dockerCluster(path: string, archive: Buffer, files: Server): Promise<string> {
  const cluster = parse(readFileSync(path, 'utf8'));
  const address = files.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const sha256 = createHash('sha256').update(archive).digest('hex');
  cluster.spec.kubernetes.containerRuntime = { type: 'docker', from: 'packages' };
  cluster.spec.artifacts.overrides['cri-dockerd'] = { url: `http://127.0.0.1:${port}/cri-dockerd.tgz`, sha256 };
  writeFileSync(path, stringify(cluster), { mode: 0o600 });
  return path;
}
