import { API_VERSION } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';

/** Removes an invalid value. In hosts, role groups and addons, replaces it instead to preserve list indexes. */
export function leaveOut(root: unknown, path: Path): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === 'number') {
    const placeholder = placeholderAt(path);
    if (placeholder === undefined) parent.splice(key, 1);
    else parent[key] = placeholder;
  } else if (isObject(parent) && key !== undefined) {
    delete parent[key];
  }
}

/** Sets a missing field to a valid placeholder that no rule reads. */
export function fillIn(root: unknown, path: Path): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (isObject(parent) && typeof key === 'string') parent[key] = PLACEHOLDERS.get(key) ?? 'placeholder';
}

export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);

function placeholderAt(path: Path): unknown {
  const [, block] = path;
  if (block === 'hosts' && path.length === 3) return { name: 'placeholder', address: ADDRESS };
  if (block === 'roleGroups' || (block === 'addons' && path.length === 3)) return 'placeholder';
  return undefined;
}

const ADDRESS = '198.51.100.1';

const PLACEHOLDERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['apiVersion', API_VERSION],
  ['kind', 'Cluster'],
  ['metadata', { name: 'placeholder' }],
  ['roleGroups', {}],
  ['address', ADDRESS],
  ['path', '/placeholder'],
  ['effect', 'NoSchedule'],
  ['zones', ['placeholder.local']],
  ['nameservers', [ADDRESS]],
  ['endpoints', [`https://${ADDRESS}:2379`]],
  ['enabled', true],
]);

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
