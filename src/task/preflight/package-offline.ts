import { on, parallel, sequence } from '../../plan/fragment.ts';
import { fetchPackages, type PackageSources } from '../../step/artifact/fetch-packages.ts';
import { packageBundle, type BundleOptions } from '../../step/artifact/package-bundle.ts';
import { defineTask } from '../task.ts';

/** What goes into a bundle, and which host fetches which packages; this machine where none is named. */
export interface Packaging {
  readonly packages: readonly (PackageSources & { readonly host: string | undefined })[];
  readonly bundle: BundleOptions;
}

export const packageOffline = defineTask<Packaging>({
  name: 'package-offline',
  title: 'Put everything that the cluster needs into one file',
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
