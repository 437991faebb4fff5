import type { Registry } from '../../config/model/cluster.ts';
import { targetOf } from './target-name.ts';

/** What an image is called in the registry of the cluster. */
export const privateName = (registry: Exclude<Registry, { readonly type: 'none' }>, ref: string): string =>
  targetOf(ref, {
    registry: registry.name,
    project: registry.namespaceOverride,
    harbor: registry.type === 'harbor',
  });
