import { sh, type Command } from '../runner/command.ts';
import type { Runner } from '../runner/runner.ts';
import { textsOf } from '../util/json-fields.ts';
import { findingOf } from './difference.ts';
import { hearing } from './hearing.ts';
import { kubectl } from './kubectl.ts';
import { APPLIED, stamped, type Manifest } from './manifest.ts';
import type { GenericStep, StepContext } from './step.ts';

/** What is to be in the cluster. */
export interface AppliedOptions {
  /** "flannel" */
  readonly name: string;
  readonly objects: (ctx: StepContext) => Promise<readonly Manifest[]>;
}

/** Objects are in the cluster as we wrote them; runs on a master. Undone, those go that were not there before. */
export function applied({ name, objects }: AppliedOptions): GenericStep {
  const wanted = async (ctx: StepContext) => (await objects(ctx)).map(stamped);
  return Object.freeze<GenericStep>({
    summary: `apply the objects of ${name}`,
    async precheck(ctx) {
      const list = await wanted(ctx);
      const found = await sumsOf(ctx.runner, list);
      const other = list.filter((each) => found.get(titleOf(each)) !== each.metadata.annotations?.[APPLIED]);
      return findingOf(
        other.map((each) => `${titleOf(each)} is ${found.has(titleOf(each)) ? 'another one' : 'missing'}`),
      );
    },
    async remember(ctx) {
      const list = await wanted(ctx);
      const found = await sumsOf(ctx.runner, list);
      return { made: list.map(titleOf).filter((title) => !found.has(title)) };
    },
    async run(ctx) {
      const stdin = (await wanted(ctx)).map((each) => JSON.stringify(each)).join('\n---\n');
      await ctx.runner.run(APPLY, { ...hearing(ctx), stdin });
    },
    async rollback(ctx, before) {
      const made = new Set(textsOf(before, 'made'));
      const list = (await wanted(ctx)).filter((each) => made.has(titleOf(each)));
      const stdin = list.toReversed().map(nameOnly).join('\n---\n');
      if (list.length > 0) await ctx.runner.run(REMOVE, { ...hearing(ctx), stdin });
    },
  });
}

// Ours whatever somebody has changed by hand: the next look would find it, and say so.
const APPLY = kubectl(sh`apply --server-side --force-conflicts --field-manager=kubexm -f -`);
const REMOVE = kubectl(sh`delete -f - --ignore-not-found --timeout=60s`);

const titleOf = ({ kind, metadata: { name, namespace } }: Manifest) =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

const nameOnly = ({ apiVersion, kind, metadata: { name, namespace } }: Manifest) =>
  JSON.stringify({ apiVersion, kind, metadata: { name, namespace } });

/** What each object that is there says it was made from, by its title: all asked for at once. */
async function sumsOf(runner: Runner, list: readonly Manifest[]): Promise<ReadonlyMap<string, string>> {
  if (list.length === 0) return new Map();
  const { stdout } = await runner.look(looks(list));
  const rows = stdout.split('\n').flatMap((line) => {
    const [kind, namespace = '', name = '', sum = ''] = line.trim().split(/\s+/);
    if (!kind) return [];
    const metadata = { name, ...(namespace !== '<none>' && { namespace }) };
    return [[titleOf({ apiVersion: '', kind, metadata }), sum] as const];
  });
  return new Map(rows);
}

const COLUMNS = `K:.kind,NS:.metadata.namespace,N:.metadata.name,S:.metadata.annotations.${APPLIED.replaceAll('.', String.raw`\.`)}`;

const looks = (list: readonly Manifest[]): Command => ({
  text: `printf '%s\\n' ${sh`${list.map(nameOnly).join('\n---\n')}`.text} | ${
    kubectl(sh`get -f - --ignore-not-found --no-headers -o ${`custom-columns=${COLUMNS}`} 2>/dev/null`).text
  }`,
  display: `kubectl get ${list.map(titleOf).join(', ')}`,
});
