import { sh, type Command } from '../../runner/command.ts';
import { waitUntil } from '../common/wait-until.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import { kubectl } from './kubectl.ts';
import { objectsOf, type Manifest, type ObjectSource } from './manifest.ts';
import type { GenericStep } from '../contract/part.ts';

/** What has to run. */
export interface RolledOutOptions {
  /** "flannel" */
  readonly name: string;
  readonly objects: ObjectSource;
  /** Where objects are that name none. */
  readonly namespace?: string | undefined;
  readonly timeoutMs: number;
}

/** All that runs pods among the objects runs as many as it should, in their newest form; runs on a master. */
export function rolledOut({ name, objects, namespace = 'default', timeoutMs }: RolledOutOptions): GenericStep {
  const key = `wait:rollout-${name}` as const;
  const summary = `${name} runs`;
  const wait = (all: readonly Manifest[]) => {
    const list = all.filter(({ kind }) => WORKLOADS.has(kind));
    return list.length > 0 ? waitUntil({ key, summary, question: question(list, namespace), timeoutMs }) : undefined;
  };
  return Object.freeze<GenericStep>({
    key,
    summary: `wait until ${summary}`,
    async precheck(ctx) {
      const all = await objects(ctx);
      return all ? (wait(all)?.precheck(ctx) ?? DONE) : findingOf([`what ${name} consists of is not here yet`]);
    },
    run: async (ctx) => wait(await objectsOf(ctx, name, objects))?.run(ctx),
  });
}

const WORKLOADS = new Set(['Deployment', 'DaemonSet', 'StatefulSet']);

/** Prints what it still waits for. */
const question = (list: readonly Manifest[], namespace: string): Command => {
  const each = list.map(({ kind, metadata }) => {
    const where = metadata.namespace ?? namespace;
    return kubectl(sh`-n ${where} rollout status --timeout=1s ${`${kind.toLowerCase()}/${metadata.name}`}`).text;
  });
  return {
    text: `said=$( { ${each.join(' && ')}; } 2>&1 ) || { echo "$said" | grep -v '^error: timed out'; exit 1; }`,
    display: `kubectl rollout status of ${list.map((one) => one.metadata.name).join(', ')}`,
  };
};
