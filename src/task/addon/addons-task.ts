import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import type { AddonAssets } from '../../step/addon/content.ts';
import { installHelm } from '../../step/kubernetes-object/helm.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import type { Step } from '../../step/contract/step.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask, type Task } from '../task.ts';

/** Addons, and what they are made from. */
export interface AddonsInput {
  readonly addons: readonly Addon[];
  readonly assets: AddonAssets;
}

/** A step for each addon on the first master, one after another: some need what others bring. */
export const addonsTask = (
  name: string,
  title: string,
  stepFor: (addon: Addon, cluster: Cluster, assets: AddonAssets) => Step,
): Task<AddonsInput> =>
  defineTask<AddonsInput>({
    name,
    title,
    plan: ({ cluster, hosts }, { addons, assets }) => {
      const steps = addons.map((addon) => stepFor(addon, cluster, assets));
      const charts = addons.some((addon) => isChart(addon, assets));
      return chain(firstMaster(hosts), charts ? [installHelm(assets), ...steps, clearStaging] : steps);
    },
  });

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
