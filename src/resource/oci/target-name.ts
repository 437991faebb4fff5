import { fail } from '../../common/errors/errors.ts';
import { parseReference } from './reference.ts';

/** A registry of the user's, and how images are called there. */
export interface Naming {
  readonly registry: string;
  /** The project for all of them; empty for those of their publishers. */
  readonly project: string;
  /** Everything belongs to a project there. */
  readonly harbor: boolean;
}

/** What an image is called in a registry of the user's: as at its publisher, or in one project with all others. */
export function targetOf(ref: string, { registry, project, harbor }: Naming): string {
  const { repository, tag, digest } = parseReference(ref);
  const home = project === '' && harbor && !repository.includes('/') ? 'library' : project;
  const name = home === '' ? repository : `${home}/${repository.replace(/^[^/]*\//, '')}`;
  // A digest is of the index of all platforms, and only some of them are here.
  const place = digest === undefined ? tag : `sha256-${digest.slice('sha256:'.length)}`;
  return `${registry}/${name}:${place}`;
}

/** The names of all images there; two of them may not become one. */
export function targetsOf(
  refs: readonly string[],
  naming: Naming,
): readonly { readonly ref: string; readonly target: string }[] {
  const taken = new Map<string, string>();
  return refs.map((ref) => {
    const target = targetOf(ref, naming);
    const other = taken.get(target);
    if (other !== undefined) throw fail('IMAGES_COLLIDE', { one: other, other: ref, target });
    taken.set(target, ref);
    return { ref, target };
  });
}

/** The projects that images of these names are in. */
export const projectsOf = (targets: readonly string[]): readonly string[] => [
  ...new Set(targets.map((target) => parseReference(target).repository.split('/')[0] ?? '')),
];
