import type { Assets } from '../../resource/assets.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Installs Multus, so that Pods can have additional networks. */
export const applyMultus = (assets: Assets): Step =>
  defineStep({
    name: 'multus.apply',
    summary: 'Install Multus',
    parts: (view) => [applied({ id: 'multus', objects: catalogManifest(assets, 'multus-manifest', view) })],
  });
