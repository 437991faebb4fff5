import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { flagOf } from '../../util/json-fields.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Which nodes, and whether all of them must exist: a node that is being deleted may be gone when a run is resumed. */
export interface NodeSelection {
  readonly nodes: readonly string[];
  readonly mustExist: boolean;
}

/** No new pods are scheduled on the nodes. Undone only on nodes that this run cordoned. */
export const cordonNodes = ({ nodes, mustExist }: NodeSelection): Step =>
  defineStep({
    name: 'node.cordon',
    summary: 'Mark nodes as unschedulable',
    parts: () =>
      nodes.map((node) => schedulability({ node, unschedulable: true, mustExist, key: `node:cordoned/${node}` })),
  });

/** New pods may be scheduled on the nodes again. */
export const uncordonNodes = ({ nodes, mustExist }: NodeSelection): Step =>
  defineStep({
    name: 'node.uncordon',
    summary: 'Mark nodes as schedulable',
    parts: () =>
      nodes.map((node) => schedulability({ node, unschedulable: false, mustExist, key: `node:uncordoned/${node}` })),
  });

interface Schedulability extends Pick<GenericStep, 'key'> {
  readonly node: string;
  readonly unschedulable: boolean;
  readonly mustExist: boolean;
}

function schedulability({ node, unschedulable, mustExist, key }: Schedulability): GenericStep {
  const isCordoned = async ({ api }: StepContext) => {
    const found = await api.get('nodes', { name: node });
    if (!found && mustExist) throw fail('NODE_NOT_FOUND', { node });
    return found && found.spec?.unschedulable === true;
  };
  return Object.freeze<GenericStep>({
    key,
    summary: `${unschedulable ? 'cordon' : 'uncordon'} ${node}`,
    async precheck(ctx) {
      const cordoned = await isCordoned(ctx);
      if (cordoned === undefined || cordoned === unschedulable) return DONE;
      return { done: false, because: cordoned ? 'is cordoned' : 'is schedulable' };
    },
    remember: async (ctx): Promise<Json> => ({ unschedulable: (await isCordoned(ctx)) ?? false }),
    run: (ctx) => setUnschedulable(ctx, node, unschedulable),
    rollback: (ctx, before) => setUnschedulable(ctx, node, flagOf(before, 'unschedulable')),
  });
}

/** A node that no longer exists needs no change. */
async function setUnschedulable({ api }: StepContext, name: string, unschedulable: boolean): Promise<void> {
  try {
    await api.patch('nodes', { name }, { spec: { unschedulable: unschedulable || null } });
  } catch (error) {
    if (!(error instanceof KubexmError && error.code === 'API_NOT_FOUND')) throw error;
  }
}
