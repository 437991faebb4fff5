import { empty, on, parallel, sequence } from '../../plan/fragment.ts';
import { downloadFiles } from '../../step/artifact/download-files.ts';
import { fetchPackages, type PackageSources } from '../../step/artifact/fetch-packages.ts';
import { packageBundle, type BundleOptions } from '../../step/artifact/package-bundle.ts';
import { pullImages } from '../../step/artifact/pull-images.ts';
import { defineTask } from '../task.ts';

export const prepareAssets = defineTask({
  name: 'prepare-assets',
  title: 'Download files and images',
  needs: { architectures: true, registryLogins: true },
  plan: ({ assets, local }) =>
    sequence(
      assets.downloads.files.length === 0 ? empty : on(local, downloadFiles(assets)),
      assets.downloads.images.length === 0 ? empty : on(local, pullImages(assets)),
    ),
});

/** The content of an offline bundle. */
export interface Packaging {
  /** System packages, and the host that fetches them; the local machine if undefined. */
  readonly packages: readonly (PackageSources & { readonly host: string | undefined })[];
  readonly bundle: BundleOptions;
}

export const packageOffline = defineTask<Packaging>({
  name: 'package-offline',
  title: 'Package the offline bundle',
  plan: ({ hosts, local }, { packages, bundle }) =>
    sequence(
      parallel(
        ...packages.map(({ host, ...sources }) =>
          on(hosts.all.find(({ name }) => name === host) ?? local, fetchPackages(sources)),
        ),
      ),
      on(local, packageBundle(bundle)),
    ),
});
