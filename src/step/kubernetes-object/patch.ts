import { fail } from '../../common/errors/errors.ts';
import { titleOf, type Manifest } from './manifest.ts';

/** A change of the objects that somebody else wrote. */
export type Patch = (objects: readonly Manifest[]) => readonly Manifest[];

/** A container as a manifest has it. */
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

/** Changes one object. One that is not there is an error: a newer release of the makers has another shape. */
export const patchObject =
  (title: string, change: (object: Manifest) => Manifest): Patch =>
  (objects) => {
    if (!objects.some((object) => titleOf(object) === title))
      throw fail('MANIFEST_INVALID', { from: 'the manifest', reason: `it has no ${title}` });
    return objects.map((object) => (titleOf(object) === title ? change(object) : object));
  };

/** The object with texts in its data. */
export const withData = (object: Manifest, texts: Readonly<Record<string, string>>): Manifest => ({
  ...object,
  data: { ...recordOf(object['data']), ...texts },
});

/** The object with annotations. */
export const withAnnotations = (object: Manifest, texts: Readonly<Record<string, string>>): Manifest => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...texts } },
});

/** The container with variables, each in its place where it is there already. */
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

/** Changes the containers of a pod template, those that run first among them. */
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

/** Fields of an object whose shape others decide. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
