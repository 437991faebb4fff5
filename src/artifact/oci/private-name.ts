import type { Registry } from '../../config/cluster.ts';
import { parseReference } from './reference.ts';
import { targetOf } from './target.ts';

/** What an image is called in the registry of the cluster. In harbor everything belongs to a project. */
export function privateName(registry: Exclude<Registry, { readonly type: 'none' }>, ref: string): string {
  const { type, name, namespaceOverride: project } = registry;
  const homeless = type === 'harbor' && project === '' && !parseReference(ref).repository.includes('/');
  return targetOf(ref, name, homeless ? 'library' : project);
}
