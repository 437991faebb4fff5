import { fail } from '../../common/errors/errors.ts';
import { titleOf, type Manifest } from './manifest.ts';

/** A change to upstream objects. */
export type Patch = (objects: readonly Manifest[]) => readonly Manifest[];

/** A container in a manifest. */
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly [field: string]: unknown;
}

interface EnvVariable {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Changes one object. A missing object is an error, because a newer upstream release may differ. */
export const patchObject =
  (title: string, change: (object: Manifest) => Manifest): Patch =>
  (objects) => {
    if (!objects.some((object) => titleOf(object) === title))
      throw fail('MANIFEST_INVALID', { from: 'the manifest', reason: `it has no ${title}` });
    return objects.map((object) => (titleOf(object) === title ? change(object) : object));
  };

/** Adds entries to the data of an object. */
export const withData = (object: Manifest, texts: Readonly<Record<string, string>>): Manifest => ({
  ...object,
  data: { ...recordOf(object['data']), ...texts },
});

/** Adds annotations to an object. */
export const withAnnotations = (object: Manifest, texts: Readonly<Record<string, string>>): Manifest => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...texts } },
});

/** Adds annotations to the Pods of a workload. */
export function withPodAnnotations(object: Manifest, texts: Readonly<Record<string, string>>): Manifest {
  const spec = recordOf(object['spec']);
  const template = recordOf(spec['template']);
  const metadata = recordOf(template['metadata']);
  const annotations = { ...recordOf(metadata['annotations']), ...texts };
  return { ...object, spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } } };
}

/** Sets environment variables, replacing existing ones in place. */
export function withEnv(container: Container, values: Readonly<Record<string, string>>): Container {
  const env = container.env ?? [];
  const known = new Set(env.map(({ name }) => name));
  const added = Object.entries(values).filter(([name]) => !known.has(name));
  return {
    ...container,
    env: [
      ...env.map((each) => (each.name in values ? { name: each.name, value: values[each.name] } : each)),
      ...added.map(([name, value]) => ({ name, value })),
    ],
  };
}

/** Changes the containers and init containers of a Pod template. */
export function mapContainers(object: Manifest, change: (container: Container) => Container): Manifest {
  const spec = recordOf(object['spec']);
  const template = recordOf(spec['template']);
  const pod = recordOf(template['spec']);
  if (!('containers' in pod)) return object;
  const lists = ['initContainers', 'containers'].flatMap((name) => {
    const list = pod[name];
    return Array.isArray(list) ? [[name, list.filter(isContainer).map(change)] as const] : [];
  });
  return {
    ...object,
    spec: { ...spec, template: { ...template, spec: { ...pod, ...Object.fromEntries(lists) } } },
  };
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** The fields of an object of unknown shape; empty if it is not an object. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
