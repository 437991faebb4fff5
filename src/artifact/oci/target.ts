import { fail } from '../../common/errors.ts';
import { parseReference } from './reference.ts';

/** What an image is called in a registry of the user's: as at its publisher, or in one project with all others. */
export function targetOf(ref: string, registry: string, project: string): string {
  const { repository, tag, digest } = parseReference(ref);
  const name = project === '' ? repository : `${project}/${repository.replace(/^[^/]*\//, '')}`;
  // A digest is of the index of all platforms, and only some of them are here.
  const place = digest === undefined ? tag : `sha256-${digest.slice('sha256:'.length)}`;
  return `${registry}/${name}:${place}`;
}

/** The names of all images there; two of them may not become one. */
export function targetsOf(
  refs: readonly string[],
  registry: string,
  project: string,
): readonly { readonly ref: string; readonly target: string }[] {
  const taken = new Map<string, string>();
  return refs.map((ref) => {
    const target = targetOf(ref, registry, project);
    const other = taken.get(target);
    if (other !== undefined) throw fail('IMAGES_COLLIDE', { one: other, other: ref, target });
    taken.set(target, ref);
    return { ref, target };
  });
}
