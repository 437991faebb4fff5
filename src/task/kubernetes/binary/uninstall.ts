import { chain, parallel } from '../../../plan/fragment.ts';
import { nodeStepsToUndo } from '../../../step/kubernetes/binary/steps.ts';
import type { ClearOptions } from '../../../step/kubernetes/clear.ts';
import { nodesAmong } from '../../nodes.ts';
import { defineTask } from '../../task.ts';

export const uninstallBinaries = defineTask<ClearOptions>({
  name: 'uninstall-kubernetes',
  title: 'Remove the parts of Kubernetes, and what they read',
  plan: ({ cluster, hosts }, options) =>
    parallel(...nodesAmong(hosts).map((host) => chain(host, nodeStepsToUndo(cluster, host, options)))),
});
