import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { stateFile } from '../../common/cluster-files.ts';
import { fail } from '../../common/errors/errors.ts';
import { readApplied } from '../../config/model/applied.ts';
import { sh } from '../../runner/command.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import { findingOf } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { PUBLISHED, readSecret } from './published.ts';

/** The applied state is stored in the cluster, in case this machine is lost; runs on a master. */
export const publishState = (folder: string): Step =>
  defineStep({
    name: 'state.publish',
    summary: 'Publish the applied state to the cluster',
    parts: () => [
      applied({
        id: 'state',
        name: 'Secret kubexm-state',
        formerName: 'the state',
        objects: () => Promise.resolve([secret(localState(folder))]),
      }),
      withoutConfigMap(folder),
    ],
  });

/** Small, and read at once, so that the check shares a round trip with the others. */
function localState(folder: string) {
  try {
    return readApplied(readFileSync(stateFile(folder), 'utf8'));
  } catch {
    return readApplied('');
  }
}

/** Not a ConfigMap, which more users can read and which encryption at rest does not cover. */
const secret = (state: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: { name: PUBLISHED.name, namespace: PUBLISHED.namespace },
  // Without whitespace, because the size of Kubernetes objects is limited.
  data: { [PUBLISHED.key]: Buffer.from(JSON.stringify(state)).toString('base64') },
});

/** The ConfigMap of earlier versions, which may contain secrets, is removed once the Secret has the state. */
const withoutConfigMap = (folder: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'objects:state-configmap',
    summary: 'delete ConfigMap kubexm-state',
    precheck: async ({ runner }) => {
      const { stdout } = await runner.query(kubectl(sh`get ${CONFIG_MAP} --ignore-not-found -o name 2>/dev/null`));
      return findingOf(stdout.trim() === '' ? [] : ['ConfigMap kube-system/kubexm-state of an earlier version exists']);
    },
    async run(ctx) {
      const published = await readSecret(ctx.runner);
      if (!published || !isDeepStrictEqual(published, localState(folder)))
        throw fail('STATE_UNPUBLISHED', { host: ctx.host.name });
      await ctx.runner.run(kubectl(sh`delete ${CONFIG_MAP} --ignore-not-found`), streamOutput(ctx));
    },
  });

const CONFIG_MAP = sh`-n ${PUBLISHED.namespace} configmap ${PUBLISHED.name}`;
