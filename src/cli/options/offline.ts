import type { OptionSpec, OptionValues } from '../command.ts';
import type { Console } from '../console.ts';
import { untilStopped } from '../until-stopped.ts';

/** The options of commands that need artifacts and may have to do without a network. */
export const offlineOptions = {
  offline: { type: 'flag', summary: 'use no network for artifacts: what is not here is an error' },
  offlineBundle: {
    type: 'list',
    value: 'BUNDLE',
    summary: 'take artifacts from this bundle, and none from the network; a base before what builds on it',
  },
} as const satisfies Record<string, OptionSpec>;

/** Loads the bundles that are named; tells whether artifacts may not come from the network. */
export async function enterOffline(
  { offline, offlineBundle, dryRun }: OptionValues<typeof offlineOptions> & { readonly dryRun: boolean },
  console: Console,
): Promise<boolean> {
  if (offlineBundle.length === 0) return offline;
  if (dryRun) {
    for (const path of offlineBundle) console.note(`Would load ${path}.`);
    return true;
  }
  const { loadBundles } = await import('../../runtime/offline/load-bundles.ts');
  await untilStopped((signal) => loadBundles(offlineBundle, console.progress, signal));
  return true;
}
