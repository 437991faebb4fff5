import { sh, type Command } from '../../runner/command.ts';
import { waitUntil } from '../common/wait-until.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import { watchFailures } from './failing-pods.ts';
import { kubectl } from './kubectl.ts';
import { objectsOf, type Manifest, type ObjectSource } from './manifest.ts';
import type { GenericStep } from '../contract/part.ts';

export interface RolledOutOptions {
  /** "flannel" */
  readonly name: string;
  readonly objects: ObjectSource;
  /** For objects without a namespace. */
  readonly namespace?: string | undefined;
  readonly timeoutMs: number;
}

/** Waits until the workloads among the objects are completely rolled out, or fails early if their Pods keep failing; runs on a master. */
export function rolledOut({ name, objects, namespace = 'default', timeoutMs }: RolledOutOptions): GenericStep {
  const key = `wait:rollout-${name}` as const;
  const summary = `${name} is rolled out`;
  const wait = (all: readonly Manifest[]) => {
    const list = all.filter(({ kind }) => WORKLOADS.has(kind));
    return list.length > 0
      ? waitUntil({
          key,
          summary,
          condition: rolloutStatus(list, namespace),
          // kubectl watches and returns as soon as the rollout is complete, so no time is lost between two polls.
          watching: rolloutStatus(list, namespace, WATCH_SECONDS),
          timeoutMs,
          watch: () => watchFailures({ name, workloads: list, namespace }),
        })
      : undefined;
  };
  return Object.freeze<GenericStep>({
    key,
    summary: `wait until ${summary}`,
    async precheck(ctx) {
      const all = await objects(ctx);
      return all
        ? (wait(all)?.precheck(ctx) ?? DONE)
        : findingOf([`the manifests of ${name} are not in the cache yet`]);
    },
    run: async (ctx) => wait(await objectsOf(ctx, name, objects))?.run(ctx),
  });
}

const WATCH_SECONDS = 5;

const WORKLOADS = new Set(['Deployment', 'DaemonSet', 'StatefulSet']);

/** Prints the workloads that are not rolled out yet. */
const rolloutStatus = (list: readonly Manifest[], namespace: string, seconds = 1): Command => {
  const each = list.map(({ kind, metadata }) => {
    const where = metadata.namespace ?? namespace;
    return kubectl(sh`-n ${where} rollout status --timeout=${seconds}s ${`${kind.toLowerCase()}/${metadata.name}`}`)
      .text;
  });
  return {
    text: `said=$( { ${each.join(' && ')}; } 2>&1 ) || { echo "$said" | grep -v '^error: timed out'; exit 1; }`,
    display: `kubectl rollout status of ${list.map((one) => one.metadata.name).join(', ')}`,
  };
};
