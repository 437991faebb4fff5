import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { kubeadmCommand, kubeadmErrors } from '../../../../src/step/kubernetes/kubeadm-command.ts';

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

describe('the reported error of kubeadm', () => {
  const WARNINGS = `W1118 05:46:55.349317   16166 logging.go:55] [core] failed to connect
\t[WARNING Service-kubelet]: kubelet service is not enabled
`;

  it('is its error, however many warnings it printed', () =>
    expect(
      kubeadmErrors({
        stdout: '[preflight] Running pre-flight checks\n',
        stderr: `${WARNINGS}error: error execution phase preflight: couldn't validate the identity of the API Server
To see the stack trace of this error execute with --v=5 or higher
${WARNINGS}`,
      }),
    ).toBe("error: error execution phase preflight: couldn't validate the identity of the API Server"));

  it('is what it did last if it was killed', () =>
    expect(kubeadmErrors({ stdout: '[kubelet-check] Waiting for a healthy kubelet\n', stderr: WARNINGS })).toBe(
      '[kubelet-check] Waiting for a healthy kubelet',
    ));

  it('is its warnings if there is nothing else', () =>
    expect(kubeadmErrors({ stdout: '', stderr: WARNINGS })).toBe(WARNINGS));
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
