import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withLock } from '../../src/util/process-lock.ts';
import { kubexm } from '../fast/cli/kubexm.ts';

/** Where the mirror of all tests is. It is built once and stays: the next test needs only what is new. */
export const MIRROR = process.env['KUBEXM_LAB_MIRROR'] ?? join(tmpdir(), 'kubexm-lab-mirror');

/** The mirror has these components for a version of Kubernetes. */
export async function buildMirror(version: string, components: readonly string[]): Promise<void> {
  const build = (...more: readonly string[]) =>
    kubexm(
      ['lab', 'mirror', 'build', '--versions', version, '--components', components.join(), '--dir', MIRROR, ...more],
      { KUBEXM_HOME: process.env['KUBEXM_HOME']! },
    );
  // Who only uses it does not wait for another test that adds to it.
  if ((await build('--dry-run')).stdout === 'Nothing to do.\n') return;
  await withLock('lab-mirror', async () => {
    const { exit, stderr } = await build();
    expect(exit, stderr).toBe(0);
  });
}
