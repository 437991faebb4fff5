import { dirname } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import { sh } from '../../runner/command.ts';
import { ETCD } from '../../template/etcd/access.ts';
import { KUBELET } from '../../template/kubernetes/paths.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { isEtcdData } from '../kubernetes/record-host-state.ts';
import { undoRecord } from './undo.ts';
import { recordsOf } from './records.ts';

/**
 * Removes all records of the cluster from the host. Records that are left, because the host had another role before or a
 * step was skipped, are restored first, except for data. A record that cannot be restored is not removed.
 */
export const forgetOrigins = defineStep({
  name: 'os.forget',
  summary: 'Remove the records of the original state',
  timeoutMs: 3_600_000,
  parts: () => [noRecords],
});

const noRecords: GenericStep = Object.freeze<GenericStep>({
  key: 'cleared:originals',
  summary: 'remove the records of the original state',
  async precheck({ runner, originDir }) {
    return (await runner.stat(originDir)) ? { done: false, because: `${originDir} exists` } : DONE;
  },
  async run(ctx) {
    const { runner, originDir, host } = ctx;
    const steps = await stepsWithRecords(ctx);
    await refuseMember(ctx, steps);
    const left: string[] = [];
    for (const step of steps) {
      const preserve = (key: string) => step === 'kubernetes.note' && isEtcdData(key);
      if (DATA_STEPS.has(step)) ctx.say(`${step}: data is left on the host`);
      else for (const each of await recordsOf(ctx, step)) left.push(...(await undoRecord(ctx, each, { preserve })));
    }
    if (left.length > 0) throw fail('UNDO_INCOMPLETE', { host: host.name, left: left.join('; ') });
    await runner.run(sh`rm -rf -- ${originDir} ${dirname(originDir)}/keep ${dirname(originDir)}/scripts`);
  },
});

/** Services that the tasks before this one uninstall, by the step whose records are left if these tasks did not run. */
const SERVICES = [
  ['kubelet.install', KUBELET.unit],
  ['etcd.install', ETCD.unit],
] as const;

/** A member of the running cluster has to be reset first: its Pods and mounts are not in the records. */
async function refuseMember({ runner, host }: StepContext, steps: readonly string[]): Promise<void> {
  for (const [step, unit] of SERVICES)
    if (steps.includes(step) && (await runner.services.state(unit)).active)
      throw fail('STILL_IN_CLUSTER', { host: host.name, unit });
}

/** Records of these steps are left if the user keeps the data; restoring them would delete it. */
const DATA_STEPS = new Set(['etcd.data', 'registry.data', 'harbor.data']);

/** Steps with records, newest first. */
async function stepsWithRecords({ runner, originDir }: StepContext): Promise<readonly string[]> {
  const { stdout } = await runner.query(
    sh`cd ${originDir} && ls -t | while read -r step; do [ ! -d "$step" ] || echo "$step"; done`,
  );
  return stdout.split('\n').filter((step) => step !== '' && !step.startsWith('guard-'));
}
