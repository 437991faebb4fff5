import type { Assets } from '../../resource/assets.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { removeObjects, findObjects } from '../kubernetes-object/applied.ts';
import { findingOf } from '../contract/finding.ts';
import { releaseOf, uninstallRelease } from '../kubernetes-object/helm-release.ts';
import { objectsOf } from '../kubernetes-object/manifest.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { addonContent, type AddonContent } from './content.ts';

/** Uninstalls the addon. Keeps the namespace of a Helm release, because it may contain other objects. */
export function uninstallAddon(addon: Addon, cluster: Cluster, assets: Assets): Step {
  return defineStep({
    name: `addon.uninstall-${addon.name}`,
    summary: `Uninstall ${addon.name}`,
    timeoutMs: TEN_MINUTES,
    parts: (view) => [uninstalled(addon.name, addonContent(addon, cluster, assets, view))],
  });
}

const TEN_MINUTES = 600_000;

function uninstalled(name: string, content: AddonContent): GenericStep {
  const summary = `remove ${name}`;
  switch (content.type) {
    case 'manifest': {
      const { objects, namespace } = content;
      return Object.freeze<GenericStep>({
        key: `cleared:addon-${name}`,
        summary,
        async precheck(ctx) {
          const list = await objects(ctx);
          if (!list) return findingOf([`the manifests of ${name} are not in the cache yet`]);
          return findingOf(
            [...(await findObjects(ctx.runner, list, namespace)).keys()].map((title) => `${title} exists`),
          );
        },
        run: async (ctx) => removeObjects(ctx, await objectsOf(ctx, name, objects), namespace),
      });
    }
    case 'chart':
      return Object.freeze<GenericStep>({
        key: `cleared:addon-${name}`,
        summary,
        precheck: async (ctx) => findingOf((await releaseOf(ctx, content.release)) ? [`release ${name} exists`] : []),
        run: async (ctx) => void (await uninstallRelease(ctx, content.release)),
      });
  }
}
