import { expect } from 'vitest';
import { buildCost } from '../../src/lab/mirror/estimate.ts';
import { componentsFor } from '../../src/lab/mirror/catalog.ts';
import { moduleProxy } from '../../src/lab/mirror/go/toolchain.ts';
import { defaultMirrorFolder, mirrorPaths } from '../../src/lab/mirror/paths.ts';
import { findRecord, recipeOf } from '../../src/lab/mirror/records.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { skipUnless } from '../skip-unless.ts';

/**
 * The mirror directory of `make demo`, shared by all tests. It is kept, so later tests build only missing components.
 * vitest.config.ts sets the variable, because tests have their own KUBEXM_HOME.
 */
export const MIRROR = process.env['KUBEXM_LAB_MIRROR'] ?? defaultMirrorFolder();

/** Builds these components for a Kubernetes version unless the mirror has them. */
export async function buildMirror(version: string, components: readonly string[]): Promise<void> {
  if ((await missingComponents(version, components)).length === 0) return;
  const args = ['--versions', version, '--components', components.join(), '--dir', MIRROR];
  // The go command reads its settings from the home of the user.
  const { exit, stderr } = await kubexm(['lab', 'mirror', 'build', ...args], { HOME: process.env['HOME'] ?? '/root' });
  expect(exit, stderr).toBe(0);
}

/** Test options that skip a suite whose components are neither in the mirror nor can be built on this computer. */
export async function needsMirror(version: string, components: readonly string[]) {
  const missing = await missingComponents(version, components);
  const costs = await Promise.all(missing.map(buildCost));
  const isBuildable = costs.every(({ packages }) => packages === 0) || (await proxyResponds());
  const names = missing.map(({ name }) => name).join(', ');
  return skipUnless(isBuildable, `${MIRROR} lacks ${names}, and ${moduleProxy()} does not respond to build them`);
}

async function missingComponents(version: string, components: readonly string[]) {
  const wanted = componentsFor({ versions: [version], components });
  const records = await Promise.all(wanted.map((one) => findRecord(mirrorPaths(MIRROR), one, recipeOf(one))));
  return wanted.filter((_, index) => !records[index]);
}

const proxyResponds = () =>
  fetch(`${moduleProxy()}/k8s.io/kubernetes/@v/v1.36.3.info`, { signal: AbortSignal.timeout(20_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
