import type { Assets } from '../../resource/assets.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { helmRelease } from '../kubernetes-object/helm-release.ts';
import { rolledOut } from '../kubernetes-object/rolled-out.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { addonContent, type AddonContent } from './content.ts';

/** Installs the addon and, if `wait` is set, waits for its rollout. */
export function installAddon(addon: Addon, cluster: Cluster, assets: Assets): Step {
  const { name, wait } = addon;
  return defineStep({
    name: `addon.install-${name}`,
    summary: `Install ${name}`,
    timeoutMs: QUARTER_HOUR,
    parts: (view) => partsOf(name, addonContent(addon, cluster, assets, view), wait),
  });
}

const QUARTER_HOUR = 900_000;
const TEN_MINUTES = 600_000;

function partsOf(name: string, content: AddonContent, wait: boolean): readonly GenericStep[] {
  switch (content.type) {
    case 'manifest': {
      const { objects, namespace } = content;
      return [
        applied({ id: name, objects, namespace }),
        ...(wait ? [rolledOut({ name, objects, namespace, timeoutMs: TEN_MINUTES })] : []),
      ];
    }
    case 'chart':
      return [helmRelease({ ...content.release, wait, timeoutMs: TEN_MINUTES })];
  }
}
