import { expect, it, vi } from 'vitest';
import { runPipeline, type PipelineCall } from '../../../../src/cli/execute/run-pipeline.ts';
import { fail } from '../../../../src/common/errors/errors.ts';
import { defineModule } from '../../../../src/module/module.ts';
import { definePipeline } from '../../../../src/pipeline/pipeline.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { DONE } from '../../../../src/step/contract/finding.ts';
import { defineStep } from '../../../../src/step/contract/step.ts';
import { defineTask } from '../../../../src/task/task.ts';
import { home } from '../kubexm.ts';
import { pipelineCall } from './pipeline-call.ts';

/** A pipeline that deletes a cluster in two steps on this machine. */
const deleting = (act: () => void) => {
  const step = (name: string, run: () => void) => {
    let done = false;
    const precheck = () => Promise.resolve(done ? DONE : ({ done, because: 'not run yet' } as const));
    const runOnce = () => {
      done = true;
      run();
      return Promise.resolve();
    };
    return defineStep({
      name,
      summary: name,
      parts: () => [{ key: 'command:act', summary: name, precheck, run: runOnce }],
    });
  };
  const task = defineTask({
    name: 'uninstall',
    title: 'Uninstall',
    plan: ({ local }) => chain(local, [step('first.act', act), step('second.act', () => {})]),
  });
  const module = defineModule({ name: 'm', title: 'M', plan: (ctx) => ctx.task(task) });
  return definePipeline({
    name: 'delete-cluster',
    command: 'delete cluster',
    title: 'Delete a cluster',
    plan: (ctx) => ctx.module(module),
  });
};

const call = (workdir: string) => pipelineCall(workdir, { file: 'test/fixtures/kubeadm.yaml', noRollback: true });

it.each([
  ['done', () => {}, 0, true],
  ['interrupted', () => void process.emit('SIGINT', 'SIGINT'), 130, false],
  [
    'failed',
    () => {
      throw fail('COMMAND_FAILED', { command: 'false', exit: 1, output: '' });
    },
    12,
    false,
  ],
])('local state and keys are removed only when the whole run is done: %s', async (_, act, exit, removed) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const after = vi.fn(() => Promise.resolve());
  expect(await runPipeline(call(home()), () => ({ pipeline: deleting(act), after }))).toBe(exit);
  expect(after.mock.calls.length > 0).toBe(removed);
  vi.restoreAllMocks();
});

it('describes the hosts that a run touches, as text and as JSON', async () => {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  vi.spyOn(process.stderr, 'write').mockImplementation(write);
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  const describe = () => ({ lines: ['  Hosts touched: 1 new'], json: { hosts: { added: ['node4'] } } });
  const run = (options: Partial<PipelineCall['options']>) => {
    const each = call(home());
    return runPipeline({ ...each, options: { ...each.options, ...options } }, () => ({
      pipeline: deleting(() => {}),
      describe,
    }));
  };
  await run({});
  expect(written.join('')).toContain('\n  Hosts touched: 1 new\n');
  for (const dryRun of [true, false]) {
    written.length = 0;
    await run({ output: 'json', dryRun });
    const json = written.find((text) => text.startsWith('{\n')) ?? '';
    expect(JSON.parse(json).hosts).toEqual({ added: ['node4'] });
  }
  vi.restoreAllMocks();
});

it('--resume starts a new run if the command allows it and no run is unfinished', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const each = call(home());
  const resume = { ...each, options: { ...each.options, resume: true } };
  const act = vi.fn();
  const run = (resumeCanStart: boolean) => runPipeline(resume, () => ({ pipeline: deleting(act), resumeCanStart }));
  await expect(run(false)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  expect(await run(true)).toBe(0);
  expect(await run(true)).toBe(0);
  expect(act).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});
