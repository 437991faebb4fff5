import { sequence } from '../../plan/fragment.ts';
import { packageOffline, type Packaging } from '../../task/preflight/package-offline.ts';
import { prepareAssets, type Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

/** What is brought here, and what of it goes into a bundle. */
export interface PackageOptions {
  readonly assets: Assets;
  readonly packaging: Packaging;
}

export const packageModule = ({ assets, packaging }: PackageOptions): Module =>
  defineModule({
    name: 'preflight',
    title: 'Find out before anything is changed what would stand in the way',
    plan: ({ task }) => sequence(task(prepareAssets, assets), task(packageOffline, packaging)),
  });
