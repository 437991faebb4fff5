import type { Addon } from '../../config/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import type { AddonAssets } from '../../step/addon/content.ts';
import { installAddon as installStep } from '../../step/addon/install.ts';
import { installHelm } from '../../step/helm.ts';
import { clearStaging } from '../../step/staging.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask, type Task } from '../task.ts';

/** Addons, and what they are made from. */
export interface AddonsInput {
  readonly addons: readonly Addon[];
  readonly assets: AddonAssets;
}

export const installStorage = addonsTask('install-storage', 'Install storage for volumes');
export const installIngress = addonsTask('install-ingress', 'Install an ingress controller');
export const installMonitoring = addonsTask('install-monitoring', 'Install what measures and watches');
export const installAddon = addonsTask('install-addon', 'Install addons');

/** One after another: some need what others bring. */
function addonsTask(name: string, title: string): Task<AddonsInput> {
  return defineTask<AddonsInput>({
    name,
    title,
    plan: ({ cluster, hosts }, { addons, assets }) => {
      const steps = addons.map((addon) => installStep(addon, cluster, assets));
      const all = addons.some((addon) => isChart(addon, assets))
        ? [installHelm(assets), ...steps, clearStaging]
        : steps;
      return chain(firstMaster(hosts), all);
    },
  });
}

function isChart(addon: Addon, { files }: AddonAssets): boolean {
  switch (addon.type) {
    case 'catalog':
      return files.some(({ name }) => name === `${addon.name}-chart`);
    case 'helm':
      return true;
    case 'yaml':
      return false;
  }
}
