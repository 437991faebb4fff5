import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withLock } from '../../src/util/process-lock.ts';
import { kubexm } from '../fast/cli/kubexm.ts';

/** The mirror directory shared by all tests. It is kept, so later tests build only missing components. */
export const MIRROR = process.env['KUBEXM_LAB_MIRROR'] ?? join(tmpdir(), 'kubexm-lab-mirror');

/** Builds these components for a Kubernetes version unless the mirror has them. */
export async function buildMirror(version: string, components: readonly string[]): Promise<void> {
  const build = (...more: readonly string[]) =>
    kubexm(
      ['lab', 'mirror', 'build', '--versions', version, '--components', components.join(), '--dir', MIRROR, ...more],
      { KUBEXM_HOME: process.env['KUBEXM_HOME']! },
    );
  // Do not wait for the lock if nothing is missing.
  if ((await build('--dry-run')).stdout === 'Nothing to do.\n') return;
  await withLock('lab-mirror', async () => {
    const { exit, stderr } = await build();
    expect(exit, stderr).toBe(0);
  });
}
