import type { Json } from '../../common/json.ts';
import { fail } from '../../common/errors/errors.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { textsOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { changedField, FIELD_MANAGER } from './changed-field.ts';
import { streamOutput } from '../contract/output.ts';
import { kubectl, LONG_TIMEOUT } from './kubectl.ts';
import { APPLIED, objectsOf, withChecksum, titleOf, type Manifest, type ObjectSource } from './manifest.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

export interface AppliedOptions {
  /** Identifies the objects, e.g. "flannel"; must not change between releases. */
  readonly id: string;
  /** Shown to users; the id by default. */
  readonly name?: string;
  /** The name before keys existed. */
  readonly formerName?: string;
  readonly objects: ObjectSource;
  /** For objects without a namespace; "default" by default. */
  readonly namespace?: string | undefined;
}

/**
 * Ensures that the objects exist in the cluster unmodified; runs on a master. Undo deletes those that did not exist
 * before.
 */
export function applied({ id, name = id, formerName = id, objects, namespace }: AppliedOptions): GenericStep {
  const wanted = async (ctx: StepContext) => (await objectsOf(ctx, name, objects)).map(withChecksum);
  return Object.freeze<GenericStep>({
    key: `objects:${id}`,
    summary: `apply ${name}`,
    formerly: [`apply the objects of ${formerName}`],
    async precheck(ctx) {
      const list = (await objects(ctx))?.map(withChecksum);
      if (!list) return findingOf([`the manifests of ${name} are not in the cache yet`]);
      const found = await findObjects(ctx.runner, list, namespace);
      return findingOf(list.flatMap((each) => difference(each, found.get(titleOf(each))) ?? []));
    },
    async remember(ctx) {
      const list = await wanted(ctx);
      const [isReady, found] = await Promise.all([
        ctx.runner.test(kubectl(sh`get --raw /readyz >/dev/null 2>&1`)),
        findObjects(ctx.runner, list, namespace),
      ]);
      // If the API server does not respond, existing objects look missing, and undo would delete them.
      if (!isReady) throw fail('CONTROL_PLANE_UNHEALTHY', { host: ctx.host.name });
      return { made: list.map(titleOf).filter((title) => !found.has(title)) };
    },
    async run(ctx) {
      const list = await wanted(ctx);
      const definitions = list.filter(isDefinition);
      await apply(ctx, definitions, undefined);
      const kinds = definitions.filter(({ kind }) => kind === 'CustomResourceDefinition');
      if (kinds.length > 0)
        await ctx.runner.run(ESTABLISHED, { ...streamOutput(ctx), stdin: join(kinds.map(nameOnly)) });
      const rest = list.filter((each) => !isDefinition(each));
      for (const group of groupsOf(rest, namespace)) await apply(ctx, group.list, group.namespace);
    },
    async rollback(ctx, before) {
      const made = new Set(textsOf(before, 'made'));
      const list = (await wanted(ctx)).filter((each) => made.has(titleOf(each)));
      await removeObjects(ctx, list, namespace);
    },
  });
}

/** Deletes objects in reverse order; missing objects are ignored. */
export async function removeObjects(ctx: StepContext, all: readonly Manifest[], namespace?: string): Promise<void> {
  for (const { list, namespace: where } of groupsOf(all.toReversed(), namespace)) {
    if (list.length > 0) await ctx.runner.run(remove(where), { ...streamOutput(ctx), stdin: join(list.map(nameOnly)) });
  }
}

/** How an object differs from the applied one. */
function difference(object: Manifest, found: FoundObject | undefined): string | undefined {
  if (!found) return `${titleOf(object)} does not exist`;
  if (found.checksum !== object.metadata.annotations?.[APPLIED]) return `${titleOf(object)} differs`;
  const field = changedField(object, found.managedFields);
  return field === undefined ? undefined : `${titleOf(object)} was changed by another client: ${field}`;
}

/** What an existing object tells about how it was applied. */
interface FoundObject {
  readonly checksum: string;
  readonly managedFields: readonly Json[];
}

/** The objects that exist, by title, with a single request. */
export async function findObjects(
  runner: Runner,
  list: readonly Manifest[],
  namespace?: string,
): Promise<ReadonlyMap<string, FoundObject>> {
  if (list.length === 0) return new Map();
  const { stdout } = await runner.query(getCommand(list, namespace));
  const rows = stdout.split('\n').flatMap((line) => {
    const [kind = '', where = '', name = '', checksum = '', managed = ''] = line.split('\t');
    // An object without a namespace exists in the namespace it was applied to.
    const same = list.filter((each) => each.kind === kind && each.metadata.name === name);
    const object = same.find((each) => each.metadata.namespace === where) ?? same.find(hasNoNamespace);
    return object ? [[titleOf(object), { checksum, managedFields: parseList(managed) }] as const] : [];
  });
  return new Map(rows);
}

const parseList = (text: string): readonly Json[] => {
  const value: Json = text.startsWith('[') ? JSON.parse(text) : [];
  return Array.isArray(value) ? value : [];
};

const hasNoNamespace = ({ metadata: { namespace } }: Manifest) => namespace === undefined;

/** Objects that others depend on and that are applied first. */
const isDefinition = ({ kind }: Manifest) => kind === 'Namespace' || kind === 'CustomResourceDefinition';

/** kubectl rejects objects whose namespace differs from its -n flag. */
const groupsOf = (list: readonly Manifest[], namespace: string | undefined) =>
  namespace === undefined
    ? [{ list, namespace }]
    : [
        { list: list.filter((each) => !hasNoNamespace(each)), namespace: undefined },
        { list: list.filter(hasNoNamespace), namespace },
      ];

async function apply(ctx: StepContext, list: readonly Manifest[], namespace: string | undefined): Promise<void> {
  if (list.length === 0) return;
  const stdin = join(list.map((each) => JSON.stringify(each)));
  await ctx.runner.run(applyCommand(namespace), { ...streamOutput(ctx), stdin });
}

const join = (documents: readonly string[]) => documents.join('\n---\n');

const nameOnly = ({ apiVersion, kind, metadata: { name, namespace } }: Manifest) =>
  JSON.stringify({ apiVersion, kind, metadata: { name, namespace } });

const into = (namespace: string | undefined): Command =>
  namespace === undefined ? { text: '', display: '' } : sh`-n ${namespace} `;

// Overrides manual changes.
const applyCommand = (namespace: string | undefined) =>
  kubectl(sh`${into(namespace)}apply --server-side --force-conflicts --field-manager=${FIELD_MANAGER} -f -`);

const remove = (namespace: string | undefined) =>
  kubectl(sh`${into(namespace)}delete -f - --ignore-not-found ${LONG_TIMEOUT}`);

const ESTABLISHED = kubectl(sh`wait --for=condition=Established -f - ${LONG_TIMEOUT}`);

const ROW = [
  '{.kind}',
  '{.metadata.namespace}',
  '{.metadata.name}',
  `{.metadata.annotations.${APPLIED.replaceAll('.', String.raw`\.`)}}`,
  '{.metadata.managedFields}',
].join(String.raw`{"\t"}`);

/** kubectl returns a list, unless there is only one object. */
const ROWS = String.raw`{range .items[*]}${ROW}{"\n"}{end}${ROW}{"\n"}`;

const getCommand = (all: readonly Manifest[], namespace: string | undefined): Command => ({
  text: groupsOf(all, namespace)
    .filter(({ list }) => list.length > 0)
    .map(({ list, namespace: where }) => {
      const get = sh`${into(where)}get -f - --ignore-not-found -o ${`jsonpath=${ROWS}`} 2>/dev/null`;
      return `printf '%s\\n' ${sh`${join(list.map(nameOnly))}`.text} | ${kubectl(get).text}`;
    })
    .join('\n'),
  display: `kubectl get ${all.map(titleOf).join(', ')}`,
});
