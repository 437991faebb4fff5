import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { chain, on, type PlanFragment } from '../../plan/fragment.ts';
import type { Assets } from '../../resource/assets.ts';
import { installAddon } from '../../step/addon/install.ts';
import { uninstallAddon } from '../../step/addon/uninstall.ts';
import { installHelm } from '../../step/kubernetes-object/helm.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import type { Step } from '../../step/contract/step.ts';
import { undo } from '../../step/undo/undo.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask, type TaskContext } from '../task.ts';

type Addons = readonly Addon[];

export const installStorage = defineTask<Addons>({
  name: 'install-storage',
  title: 'Install storage',
  plan: (ctx, addons) => forEachAddon(ctx, addons, installAddon),
});

export const installIngress = defineTask<Addons>({
  name: 'install-ingress',
  title: 'Install the ingress controller',
  plan: (ctx, addons) => forEachAddon(ctx, addons, installAddon),
});

export const installMonitoring = defineTask<Addons>({
  name: 'install-monitoring',
  title: 'Install monitoring',
  plan: (ctx, addons) => forEachAddon(ctx, addons, installAddon),
});

export const installAddons = defineTask<Addons>({
  name: 'install-addon',
  title: 'Install addons',
  plan: (ctx, addons) => forEachAddon(ctx, addons, installAddon),
});

export const uninstallAddons = defineTask<Addons>({
  name: 'uninstall-addon',
  title: 'Uninstall addons',
  plan: (ctx, addons) => forEachAddon(ctx, addons, uninstallAddon),
});

/** Helm is installed with the first chart. The addons themselves are deleted with the cluster. */
export const uninstallHelm = defineTask({
  name: 'uninstall-helm',
  title: 'Uninstall Helm',
  plan: ({ hosts }) => on(hosts.withRole('master'), undo('helm.install', 'Remove Helm')),
});

/** One addon after another on the first master: an addon may need an earlier one. */
function forEachAddon(
  { cluster, assets, hosts }: TaskContext,
  addons: Addons,
  stepFor: (addon: Addon, cluster: Cluster, assets: Assets) => Step,
): PlanFragment {
  const steps = addons.map((addon) => stepFor(addon, cluster, assets));
  const usesHelm = addons.some((addon) => isChart(addon, assets));
  return chain(firstMaster(hosts), usesHelm ? [installHelm(assets), ...steps, clearStaging] : steps);
}

function isChart(addon: Addon, { files }: Assets): boolean {
  switch (addon.type) {
    case 'catalog':
      return files.some(({ name }) => name === `${addon.name}-chart`);
    case 'helm':
      return true;
    case 'yaml':
      return false;
  }
}
