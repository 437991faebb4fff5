import { chain, on } from '../../plan/fragment.ts';
import { checkDrain } from '../../step/drain/check-drain.ts';
import { cordonNodes, uncordonNodes, type NodeSelection } from '../../step/drain/cordon.ts';
import { drainNodes } from '../../step/drain/drain.ts';
import type { DrainOptions } from '../../step/drain/options.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

/** The nodes to drain, and how. */
export interface DrainInput extends NodeSelection {
  readonly options: DrainOptions;
}

export const cordonNode = defineTask<NodeSelection>({
  name: 'cordon-node',
  title: 'Mark nodes as unschedulable',
  plan: ({ hosts }, selection) => on(firstMaster(hosts), cordonNodes(selection)),
});

export const uncordonNode = defineTask<NodeSelection>({
  name: 'uncordon-node',
  title: 'Mark nodes as schedulable',
  plan: ({ hosts }, selection) => on(firstMaster(hosts), uncordonNodes(selection)),
});

/** All nodes are cordoned before the first one is drained, so that its pods do not move to the next one. */
export const drainNode = defineTask<DrainInput>({
  name: 'drain-node',
  title: 'Drain nodes',
  plan: ({ hosts }, { nodes, mustExist, options }) =>
    chain(firstMaster(hosts), [
      checkDrain(nodes, options),
      cordonNodes({ nodes, mustExist }),
      drainNodes(nodes, options),
    ]),
});
