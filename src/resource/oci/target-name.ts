import { fail } from '../../common/errors/errors.ts';
import type { Registry } from '../../config/model/cluster.ts';
import { parseReference } from './reference.ts';

/** Naming rules for images in a private registry. */
export interface TargetNaming {
  readonly registry: string;
  /** One project for all images; empty to keep the original projects. */
  readonly project: string;
  /** Whether the registry is Harbor, which requires a project for every image. */
  readonly harbor: boolean;
}

/** Returns the name of an image in the registry of the cluster. */
export const privateName = (registry: Exclude<Registry, { readonly type: 'none' }>, ref: string): string =>
  targetName(ref, {
    registry: registry.name,
    project: registry.namespaceOverride,
    harbor: registry.type === 'harbor',
  });

/** Returns the name of an image in a private registry, with its original repository or in one common project. */
function targetName(ref: string, { registry, project: common, harbor }: TargetNaming): string {
  const { repository, tag, digest } = parseReference(ref);
  const project = common === '' && harbor && !repository.includes('/') ? 'library' : common;
  const name = project === '' ? repository : `${project}/${repository.replace(/^[^/]*\//, '')}`;
  // The digest identifies an index of all platforms. Only some platforms are pushed, so the digest changes; the
  // original digest becomes the tag.
  const targetTag = digest === undefined ? tag : `sha256-${digest.slice('sha256:'.length)}`;
  return `${registry}/${name}:${targetTag}`;
}

/** Returns the names of several images. Fails if two images would have the same name. */
export function targetNames(
  refs: readonly string[],
  naming: TargetNaming,
): readonly { readonly ref: string; readonly target: string }[] {
  const taken = new Map<string, string>();
  return refs.map((ref) => {
    const target = targetName(ref, naming);
    const other = taken.get(target);
    if (other !== undefined) throw fail('IMAGES_COLLIDE', { one: other, other: ref, target });
    taken.set(target, ref);
    return { ref, target };
  });
}

/** Returns the projects in these image names. */
export const projectNames = (targets: readonly string[]): readonly string[] => [
  ...new Set(targets.map((target) => parseReference(target).repository.split('/')[0] ?? '')),
];
