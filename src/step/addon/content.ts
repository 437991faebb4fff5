import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
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
import { recordOf } from '../kubernetes-object/patch.ts';
import type { StepView } from '../contract/part.ts';
import { customChart, customManifest } from './custom-source.ts';
import { addonRecipe } from './recipe.ts';

/** The manifests or the Helm release of an addon. */
export type AddonContent =
  | { readonly type: 'manifest'; readonly objects: ObjectSource; readonly namespace: string | undefined }
  | { readonly type: 'chart'; readonly release: Pick<HelmRelease, 'release' | 'namespace' | 'chart' | 'values'> };

/** The content of an addon for the architecture of a host. */
export function addonContent(addon: Addon, cluster: Cluster, assets: Assets, view: StepView): AddonContent {
  const { name, namespace } = addon;
  const unsupported = unsupportedAddon(addon);
  if (unsupported) throw fail('NOT_READY_YET', unsupported);
  switch (addon.type) {
    case 'catalog':
      return catalogContent(addon, cluster, assets, view);
    case 'yaml':
      return { type: 'manifest', objects: customManifest(addon, assets, view), namespace };
    case 'helm': {
      const chart = customChart(addon, assets, view);
      const values = valuesOf(addon, {});
      return { type: 'chart', release: { release: name, namespace: namespace ?? 'default', chart, values } };
    }
  }
}

function catalogContent(addon: Addon, cluster: Cluster, assets: Assets, view: StepView): AddonContent {
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
      throw new TypeError(`no recipe for the addon ${name}`);
  }
}

const isKnown = (name: string): name is AddonName => ADDONS.some((known) => known === name);

/** Defaults of kubexm, overridden by the values file, overridden by the values in the cluster file. */
const valuesOf =
  ({ values, valuesFile }: Addon, defaults: object) =>
  async (): Promise<object> =>
    deepMerge(deepMerge(defaults, valuesFile === undefined ? {} : await readValues(valuesFile)), values);

async function readValues(path: string): Promise<object> {
  try {
    return recordOf(parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw fail('ADDON_FILE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
