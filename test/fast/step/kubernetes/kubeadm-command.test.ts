import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { kubeadmCommand } from '../../../../src/step/kubernetes/kubeadm-command.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-kubeadm-'));
const conf = join(root, 'kubexm-join-1.conf');
beforeAll(() => {
  // A fake kubeadm that prints its input and the temporary file, and succeeds only for `join`.
  writeFileSync(join(root, 'kubeadm'), `#!/bin/sh\ncat; cat ${conf}; [ "$1" = join ] || exit 3\n`);
  execFileSync('chmod', ['755', join(root, 'kubeadm')]);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('kubeadm', () => {
  it('has the temporary file only while it runs', async () => {
    expect(await call('join')).toEqual({ status: 0, stdout: 'config\nCA\n' });
    expect(readdirSync(root)).toEqual(['kubeadm']);
  });

  it('removes the temporary file and keeps the exit code if it fails', async () => {
    expect(await call('init')).toMatchObject({ status: 3 });
    expect(readdirSync(root)).toEqual(['kubeadm']);
  });
});

async function call(phase: 'init' | 'join') {
  const cluster = await loadCluster('examples/single-node.yaml');
  const { text } = kubeadmCommand(phase, cluster, { files: [{ path: conf, content: 'CA\n' }] });
  const PATH = `${root}:${process.env['PATH'] ?? ''}`;
  // Otherwise a kubeadm installed on this computer would take precedence.
  const script = text.replace('/usr/local/bin:', '');
  const { status, stdout } = spawnSync('sh', ['-c', script], { env: { PATH }, input: 'config\n', encoding: 'utf8' });
  return { status, stdout };
}
