import type { Assets } from '../../resource/assets.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Pods may have several networks, beside the one that the plugin makes. */
export const applyMultus = (assets: Assets): Step =>
  defineStep({
    name: 'multus.apply',
    summary: 'Let pods have several networks',
    parts: (view) => [applied({ id: 'multus', objects: catalogManifest(assets, 'multus-manifest', view) })],
  });
