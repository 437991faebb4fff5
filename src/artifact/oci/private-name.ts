import type { Registry } from '../../config/cluster.ts';
import { parseReference } from './reference.ts';

/** What an image is called in the registry of the cluster: below one project, or as its publisher has it. */
export function privateName(registry: Exclude<Registry, { readonly type: 'none' }>, ref: string): string {
  const { repository, tag, digest } = parseReference(ref);
  const { name, namespaceOverride: project } = registry;
  // In harbor everything belongs to a project.
  const upstream = registry.type === 'harbor' && !repository.includes('/') ? `library/${repository}` : repository;
  // A digest is of the index of all platforms, and only some of them are here.
  const place = digest === undefined ? tag : `sha256-${digest.slice('sha256:'.length)}`;
  return `${name}/${project === '' ? upstream : `${project}/${repository.replace(/^[^/]*\//, '')}`}:${place}`;
}
