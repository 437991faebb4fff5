import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Host } from '../../common/host.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import type { StepContext } from '../contract/part.ts';

/** Where the applied state is published. */
export const PUBLISHED = { namespace: 'kube-system', name: 'kubexm-state', key: 'state.json' } as const;

/** The state in the cluster, for a machine that has lost its own; earlier versions published it as a ConfigMap. */
export async function readPublished(ctx: StepContext, master: Host): Promise<AppliedState | undefined> {
  const runner = runnerIfReachable(ctx, master);
  return runner && ((await readSecret(runner)) ?? (await readConfigMap(runner)));
}

/** The state in the Secret; undefined if there is none or it is invalid. */
export const readSecret = async (runner: Runner): Promise<AppliedState | undefined> =>
  readApplied(Buffer.from(await dataOf(runner, 'secret'), 'base64').toString());

export const readConfigMap = async (runner: Runner): Promise<AppliedState | undefined> =>
  readApplied(await dataOf(runner, 'configmap'));

const dataOf = async (runner: Runner, kind: string): Promise<string> => (await runner.query(getData(kind))).stdout;

const getData = (kind: string): Command =>
  kubectl(
    sh`-n ${PUBLISHED.namespace} get ${kind} ${PUBLISHED.name} --ignore-not-found -o ${String.raw`jsonpath={.data.state\.json}`} 2>/dev/null`,
  );
