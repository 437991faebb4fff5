import { fail } from '../../common/errors.ts';
import type { Addon, Cluster } from '../../config/cluster.ts';
import { ADDONS, type AddonName } from '../../config/data/addons.ts';
import { merged } from '../../template/kubeadm/kubelet-configuration.ts';
import { catalogChart } from '../catalog-chart.ts';
import { catalogManifest, type Fetched } from '../catalog-manifest.ts';
import type { HelmRelease } from '../helm-release.ts';
import type { ObjectSource } from '../manifest.ts';
import type { StepView } from '../step.ts';
import { ownChart, ownManifest } from './own-source.ts';
import { addonRecipe } from './recipe.ts';
import { readValues } from './values-file.ts';

/** Files and images of a cluster, and the folder that it has on this machine. */
export interface AddonAssets extends Fetched {
  readonly folder: string;
}

/** What an addon consists of. */
export type AddonContent =
  | { readonly type: 'manifest'; readonly objects: ObjectSource; readonly namespace: string | undefined }
  | { readonly type: 'chart'; readonly release: Pick<HelmRelease, 'release' | 'namespace' | 'chart' | 'values'> };

/** What an addon consists of, once the host is known; throws now where that cannot be found out. */
export function addonContent(addon: Addon, cluster: Cluster, assets: AddonAssets): (view: StepView) => AddonContent {
  const { name, namespace } = addon;
  switch (addon.type) {
    case 'catalog':
      return namedContent(addon, cluster, assets);
    case 'yaml': {
      const objects = ownManifest(addon, assets);
      return (view) => ({ type: 'manifest', objects: objects(view), namespace });
    }
    case 'helm': {
      const chart = ownChart(addon, assets);
      return (view) => ({
        type: 'chart',
        release: { release: name, namespace: namespace ?? 'default', chart: chart(view), values: valuesOf(addon, {}) },
      });
    }
  }
}

function namedContent(addon: Addon, cluster: Cluster, assets: AddonAssets): (view: StepView) => AddonContent {
  const { name, namespace } = addon;
  if (!isKnown(name)) throw new TypeError(`${name} is no addon of the catalog`);
  const recipe = addonRecipe(name, cluster, assets);
  switch (recipe.type) {
    case 'manifest':
      return (view) => ({
        type: 'manifest',
        objects: catalogManifest(assets, `${name}-manifest`, view, recipe.patch),
        namespace,
      });
    case 'chart':
      return (view) => ({
        type: 'chart',
        release: {
          release: name,
          namespace: namespace ?? recipe.namespace,
          chart: catalogChart(assets, `${name}-chart`, view),
          values: valuesOf(addon, recipe.values),
        },
      });
    case 'missing':
      throw fail('NOT_READY_YET', { what: `The addon ${name}`, instead: `a list of addons without ${name}` });
  }
}

const isKnown = (name: string): name is AddonName => ADDONS.some((known) => known === name);

/** Ours, then those of the user's file, then those of the cluster file. */
const valuesOf =
  ({ values, valuesFile }: Addon, ours: object) =>
  async (): Promise<object> =>
    merged(merged(ours, valuesFile === undefined ? {} : await readValues(valuesFile)), values);
