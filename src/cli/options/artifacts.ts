import { ARCHES } from '../../common/host.ts';
import type { OptionSpec, OptionValues } from '../command.ts';
import type { Console } from '../console.ts';
import { abortOnInterrupt } from '../interrupts.ts';

/** Options for commands that need artifacts. */
export const offlineOptions = {
  offline: { type: 'flag', summary: 'do not download artifacts; fail if one is missing on this machine' },
  offlineBundle: {
    type: 'list',
    value: 'BUNDLE',
    summary: 'use only this bundle, no network (repeatable; base bundle first)',
  },
} as const satisfies Record<string, OptionSpec>;

/** Sets the architecture of hosts without arch in the cluster file. */
export const archOption = {
  type: 'choice',
  choices: ARCHES,
  summary: 'architecture of hosts that do not set arch in the cluster file (default: detected over SSH)',
} as const satisfies OptionSpec;

/** Loads the bundles given with --offline-bundle into the cache. Returns true if artifacts must not be downloaded. */
export async function loadOfflineBundles(
  { offline, offlineBundle, dryRun }: OptionValues<typeof offlineOptions> & { readonly dryRun: boolean },
  console: Console,
): Promise<boolean> {
  if (offlineBundle.length === 0) return offline;
  if (dryRun) {
    for (const path of offlineBundle) console.note(`Would load ${path}.`);
    return true;
  }
  const { loadBundles } = await import('../../runtime/offline/load-bundles.ts');
  await abortOnInterrupt((signal) => loadBundles(offlineBundle, console.progress, signal));
  return true;
}
