import type { Calls } from './calls.ts';
import type { CallOptions, ListQuery } from './options.ts';
import { collectionPath, type Resource, type Resources } from './resources.ts';

/** A list and the version of the data that it was read from. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly version: string;
}

/** Reads a list in pages, so that no response becomes large. */
export async function list<R extends Resource>(
  calls: Calls,
  resource: R,
  query: ListQuery,
  options: CallOptions,
): Promise<ObjectList<Resources[R]>> {
  const items: Resources[R][] = [];
  for (let next = ''; ;) {
    const path = listPath(resource, query, { limit: String(PAGE), ...(next !== '' && { continue: next }) });
    const response = await calls.read(`list ${resource}`, { method: 'GET', path }, { ...options, also: [410] });
    if (response.status === 410) {
      // The snapshot that the pages come from has expired.
      items.length = 0;
      next = '';
      continue;
    }
    const page: Page<Resources[R]> = JSON.parse(response.body);
    items.push(...page.items);
    next = page.metadata.continue ?? '';
    if (next === '') return { items, version: page.metadata.resourceVersion };
  }
}

interface Page<T> {
  readonly items: readonly T[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

const PAGE = 500;

export function listPath(
  resource: Resource,
  { namespace, labels, fields }: ListQuery,
  more: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    ...(labels !== undefined && { labelSelector: labels }),
    ...(fields !== undefined && { fieldSelector: fields }),
    ...more,
  });
  return `${collectionPath(resource, namespace)}?${query.toString()}`;
}
