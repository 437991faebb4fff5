import { on, sequence } from '../../plan/fragment.ts';
import { publishState } from '../../step/state/publish.ts';
import { saveState as saveStep } from '../../step/state/save.ts';
import { sumFiles } from '../../step/state/sums.ts';
import { firstMaster, nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** The folder of the cluster on this machine. */
export interface StateInput {
  readonly folder: string;
}

export const saveState = defineTask<StateInput>({
  name: 'save-state',
  title: 'Keep what was applied, here and in the cluster',
  plan: ({ cluster, hosts, local }, { folder }) =>
    sequence(
      on(nodesAmong(hosts), sumFiles),
      on(local, saveStep(cluster, folder)),
      on(firstMaster(hosts), publishState(folder)),
    ),
});
