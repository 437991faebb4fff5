import { readFile } from 'node:fs/promises';
import { stateFile } from '../../common/cluster-files.ts';
import { readApplied } from '../../config/model/applied.ts';
import { applied } from '../kubernetes-object/applied.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The cluster itself knows what was applied, for the day this machine is lost; runs on a master. */
export const publishState = (folder: string): Step =>
  defineStep({
    name: 'state.publish',
    summary: 'Keep in the cluster what was applied',
    parts: () => [
      applied({
        id: 'state',
        name: 'the applied state',
        formerName: 'the state',
        objects: async () => [configMap(await readFile(stateFile(folder), 'utf8').catch(() => ''))],
      }),
    ],
  });

/** Without white space: an object of Kubernetes has a largest size. */
const configMap = (text: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubexm-state', namespace: 'kube-system' },
  data: { 'state.json': JSON.stringify(readApplied(text) ?? {}) },
});
