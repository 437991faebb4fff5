import { dirname } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { undoRecord } from './undo.ts';
import { recordsOf } from './records.ts';

/**
 * Removes all records of the cluster from the host. Records that are left, because the host had another role before or a
 * step was skipped, are restored first. A record that cannot be restored is not removed.
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
    const left: string[] = [];
    for (const step of await stepsWithRecords(ctx))
      for (const record of await recordsOf(ctx, step)) left.push(...(await undoRecord(ctx, record)));
    if (left.length > 0) throw fail('UNDO_INCOMPLETE', { host: host.name, left: left.join('; ') });
    await runner.run(sh`rm -rf -- ${originDir} ${dirname(originDir)}/keep ${dirname(originDir)}/scripts`);
  },
});

/** Records of these steps are left only if the user keeps the data; restoring them would delete it. */
const DATA_STEPS = new Set(['etcd.data', 'registry.data', 'harbor.data']);

/** Steps with records, newest first. */
async function stepsWithRecords({ runner, originDir }: StepContext): Promise<readonly string[]> {
  const { stdout } = await runner.query(
    sh`cd ${originDir} && ls -t | while read -r step; do [ ! -d "$step" ] || echo "$step"; done`,
  );
  return stdout.split('\n').filter((step) => step !== '' && !DATA_STEPS.has(step) && !step.startsWith('guard-'));
}
