/** A mirror of a registry. */
export interface MirrorLocation {
  readonly host: string;
  /** Prefix of image names on the mirror, such as "registry.k8s.io", or empty. */
  readonly path: string;
}

/** Returns the mirrors of a registry from `artifacts.imageMirror` and `artifacts.zone`, in order of preference. */
export function mirrorsOf(
  registry: string,
  { imageMirror, zone }: { readonly imageMirror: string; readonly zone: '' | 'cn' },
): readonly MirrorLocation[] {
  const [host = '', ...prefix] = imageMirror.split('/').filter(Boolean);
  const chinaMirror = zone === 'cn' ? CHINA_MIRRORS[registry] : undefined;
  return [
    ...(host === '' ? [] : [{ host, path: [...prefix, registry].join('/') }]),
    ...(chinaMirror === undefined ? [] : [{ host: chinaMirror, path: '' }]),
    ...(zone === 'cn' ? [{ host: 'm.daocloud.io', path: registry }] : []),
  ];
}

const CHINA_MIRRORS: Readonly<Record<string, string>> = {
  'docker.io': 'docker.m.daocloud.io',
  'registry.k8s.io': 'k8s.m.daocloud.io',
  'quay.io': 'quay.m.daocloud.io',
  'ghcr.io': 'ghcr.m.daocloud.io',
  'gcr.io': 'gcr.m.daocloud.io',
};

/** The public registries that provide the cluster images. */
export const PUBLIC_REGISTRIES: readonly string[] = Object.keys(CHINA_MIRRORS);
