import type { Assets } from '../../resource/assets.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { ADDONS, type AddonName } from '../../config/data/addons.ts';
import { unsupportedAddon } from '../../config/model/addons.ts';
import { deepMerge } from '../../template/deep-merge.ts';
import { catalogChart } from '../kubernetes-object/catalog-chart.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import type { HelmRelease } from '../kubernetes-object/helm-release.ts';
import type { ObjectSource } from '../kubernetes-object/manifest.ts';
import type { StepView } from '../contract/part.ts';
import { customChart, customManifest } from './custom-source.ts';
import { addonRecipe } from './recipe.ts';
import { readValues } from './values-file.ts';

/** What an addon consists of. */
export type AddonContent =
  | { readonly type: 'manifest'; readonly objects: ObjectSource; readonly namespace: string | undefined }
  | { readonly type: 'chart'; readonly release: Pick<HelmRelease, 'release' | 'namespace' | 'chart' | 'values'> };

/** What an addon consists of, for the architecture of a host. */
export function addonContent(addon: Addon, cluster: Cluster, assets: Assets, view: StepView): AddonContent {
  const { name, namespace } = addon;
  const unsupported = unsupportedAddon(addon);
  if (unsupported) throw fail('NOT_READY_YET', unsupported);
  switch (addon.type) {
    case 'catalog':
      return namedContent(addon, cluster, assets, view);
    case 'yaml':
      return { type: 'manifest', objects: customManifest(addon, assets, view), namespace };
    case 'helm': {
      const chart = customChart(addon, assets, view);
      const values = valuesOf(addon, {});
      return { type: 'chart', release: { release: name, namespace: namespace ?? 'default', chart, values } };
    }
  }
}

function namedContent(addon: Addon, cluster: Cluster, assets: Assets, view: StepView): AddonContent {
  const { name, namespace } = addon;
  const recipe = isKnown(name) ? addonRecipe(name, cluster, assets) : undefined;
  switch (recipe?.type) {
    case 'manifest': {
      const objects = catalogManifest(assets, `${name}-manifest`, view, recipe.patch);
      return { type: 'manifest', objects, namespace };
    }
    case 'chart': {
      const chart = catalogChart(assets, `${name}-chart`, view);
      const values = valuesOf(addon, recipe.values);
      return { type: 'chart', release: { release: name, namespace: namespace ?? recipe.namespace, chart, values } };
    }
    case undefined:
      throw new TypeError(`there is no recipe for ${name}`);
  }
}

const isKnown = (name: string): name is AddonName => ADDONS.some((known) => known === name);

/** Ours, then those of the user's file, then those of the cluster file. */
const valuesOf =
  ({ values, valuesFile }: Addon, ours: object) =>
  async (): Promise<object> =>
    deepMerge(deepMerge(ours, valuesFile === undefined ? {} : await readValues(valuesFile)), values);
