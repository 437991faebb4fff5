/** Another registry that has the images of one. */
export interface MirrorPlace {
  readonly host: string;
  /** What stands there before the name of an image: "registry.k8s.io", or nothing. */
  readonly path: string;
}

/** Where the file and its zone say that the images of a registry are to be had, in order. */
export function mirrorPlaces(
  registry: string,
  { imageMirror, zone }: { readonly imageMirror: string; readonly zone: '' | 'cn' },
): readonly MirrorPlace[] {
  const [host = '', ...prefix] = imageMirror.split('/').filter(Boolean);
  const swapped = zone === 'cn' ? swaps[registry] : undefined;
  return [
    ...(host === '' ? [] : [{ host, path: [...prefix, registry].join('/') }]),
    ...(swapped === undefined ? [] : [{ host: swapped, path: '' }]),
    ...(zone === 'cn' ? [{ host: 'm.daocloud.io', path: registry }] : []),
  ];
}

const swaps: Readonly<Record<string, string>> = {
  'docker.io': 'docker.m.daocloud.io',
  'registry.k8s.io': 'k8s.m.daocloud.io',
  'quay.io': 'quay.m.daocloud.io',
  'ghcr.io': 'ghcr.m.daocloud.io',
  'gcr.io': 'gcr.m.daocloud.io',
};

/** Registries that the images of clusters come from. */
export const PUBLIC_REGISTRIES: readonly string[] = Object.keys(swaps);
