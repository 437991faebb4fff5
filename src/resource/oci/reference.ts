import { mirrorsOf } from '../../config/model/registry-mirrors.ts';

/** A parsed image reference. */
export interface Reference {
  /** Registry host, such as "registry.k8s.io", "docker.io" or "10.0.0.1:5000". */
  readonly registry: string;
  /** Repository, such as "library/busybox". */
  readonly repository: string;
  readonly tag: string;
  /** Digest ("sha256:…"), if the reference has one. */
  readonly digest: string | undefined;
}

/**
 * Parses references such as "busybox", "quay.io/calico/node:v3.32.2" and "registry.example.com:5000/a/b@sha256:…" like
 * Docker.
 */
export function parseReference(text: string): Reference {
  const [name = '', digest] = text.split('@');
  const [, path = name, tag = 'latest'] = /^(.*?)(?::([\w][\w.-]*))?$/.exec(name.replace(/^(.*)$/, '$1')) ?? [];
  const [first = '', ...rest] = path.split('/');
  const isHost = rest.length > 0 && (first === 'localhost' || /[.:]/.test(first));
  const registry = isHost ? first : 'docker.io';
  const bare = isHost ? rest.join('/') : path;
  const repository = registry === 'docker.io' && !bare.includes('/') ? `library/${bare}` : bare;
  return { registry, repository, tag, digest };
}

export const referenceText = ({ registry, repository, tag, digest }: Reference): string =>
  `${registry}/${repository}:${tag}${digest === undefined ? '' : `@${digest}`}`;

/** Returns the repositories to pull an image from, in order; the publisher is last. */
export function imageSources(
  reference: Reference,
  { imageMirror, zone }: { readonly imageMirror: string; readonly zone: '' | 'cn' },
): readonly { readonly registry: string; readonly repository: string; readonly publisher: boolean }[] {
  const { registry, repository } = reference;
  const mirrors = mirrorsOf(registry, { imageMirror, zone }).map(({ host, path }) => ({
    registry: host,
    repository: path === '' ? repository : `${path}/${repository}`,
    publisher: false,
  }));
  return [...mirrors, { registry, repository, publisher: true }];
}
