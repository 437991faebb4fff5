import { readFile } from 'node:fs/promises';
import { stateFile } from '../../common/cluster-files.ts';
import { readApplied } from '../../config/model/applied.ts';
import { applied } from '../kubernetes-object/applied.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Publishes the applied state to the cluster, in case this machine is lost; runs on a master. */
export const publishState = (folder: string): Step =>
  defineStep({
    name: 'state.publish',
    summary: 'Publish the applied state to the cluster',
    parts: () => [
      applied({
        id: 'state',
        name: 'ConfigMap kubexm-state',
        formerName: 'the state',
        objects: async () => [configMap(await readFile(stateFile(folder), 'utf8').catch(() => ''))],
      }),
    ],
  });

/** Without whitespace, because the size of Kubernetes objects is limited. */
const configMap = (text: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubexm-state', namespace: 'kube-system' },
  data: { 'state.json': JSON.stringify(readApplied(text) ?? {}) },
});
