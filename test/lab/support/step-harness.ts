import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { defineCommand } from '../../../src/cli/command.ts';
import { createConsole } from '../../../src/cli/console.ts';
import { createProgram } from '../../../src/cli/program/program.ts';
import { pipelineOptions } from '../../../src/cli/options/pipeline.ts';
import { runPipeline, type PipelineRun } from '../../../src/cli/execute/run-pipeline.ts';
import { fail, KubexmError } from '../../../src/common/errors/errors.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { defineModule } from '../../../src/module/module.ts';
import { definePipeline } from '../../../src/pipeline/pipeline.ts';
import { chain } from '../../../src/plan/fragment.ts';
import type { Step } from '../../../src/step/contract/step.ts';
import { defineTask } from '../../../src/task/task.ts';

/** The result of a command as the user sees it. */
export interface CommandOutcome {
  readonly exit: number;
  /** Everything printed to the terminal. */
  readonly text: string;
}

/** Changes to the lab's cluster file by host name. A host with `like` is an additional worker, copied from that host. */
export type HostChanges = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly like?: string }>>;

/** Runs steps on the hosts of a lab exactly like a kubexm command, from argv to exit code. */
export interface StepHarness {
  readonly workdir: string;
  run(
    steps: readonly Step[],
    changes?: HostChanges,
    options?: { readonly flags?: readonly string[]; readonly onLine?: (line: string) => void },
  ): Promise<CommandOutcome>;
}

/** Creates a harness with a temporary working directory that is removed after the test. */
export async function stepHarness(lab: Lab, workdir?: string): Promise<StepHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'kubexm-trial-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return Object.freeze<StepHarness>({
    workdir: workdir ?? folder,
    async run(steps, changes = {}, { flags = [], onLine = () => {} } = {}) {
      const file = join(folder, 'cluster.yaml');
      await writeFile(file, await clusterOf(lab, changes), { mode: 0o600 });
      const argv = ['trial', 'run', '-f', file, '--workdir', workdir ?? folder, '--verbose', ...flags];
      return runAsCommand({ pipeline: pipelineOf(steps) }, argv, onLine);
    },
  });
}

/** Runs a pipeline exactly like a kubexm command; argv starts with "trial run". */
export const runAsCommand = (
  run: PipelineRun,
  argv: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<CommandOutcome> => captureOutput(() => call(run, argv), onLine);

async function clusterOf(lab: Lab, changes: HostChanges): Promise<string> {
  const file: ClusterFile = parse(await readFile(lab.paths.cluster, 'utf8'));
  const { hosts, roleGroups } = file.spec;
  const changed = hosts.map((host) => ({ ...host, ...changes[host.name] }));
  const more = Object.entries(changes).flatMap(([name, { like, ...change }]) =>
    like === undefined ? [] : [{ ...hosts.find((host) => host.name === like), ...change, name }],
  );
  const worker = [...roleGroups.worker, ...more.map(({ name }) => name)];
  return stringify({
    ...file,
    spec: { ...file.spec, hosts: [...changed, ...more], roleGroups: { ...roleGroups, worker } },
  });
}

interface ClusterFile {
  readonly spec: {
    readonly hosts: readonly { readonly name: string }[];
    readonly roleGroups: { readonly worker: readonly string[] };
  };
}

async function call(run: PipelineRun, argv: readonly string[]): Promise<number> {
  const console = createConsole({ color: false, json: false, verbose: true });
  const before = process.argv;
  process.argv = [...before.slice(0, 2), ...argv];
  try {
    return await createProgram([commandOf(run)], console).call(argv);
  } catch (error) {
    const known = error instanceof KubexmError ? error : fail('INTERNAL', { message: String(error) }, error);
    console.error(known);
    return known.exit;
  } finally {
    process.argv = before;
  }
}

function pipelineOf(steps: readonly Step[]) {
  const task = defineTask({ name: 'try', title: 'Try', plan: ({ hosts }) => chain(hosts.all, steps) });
  const module = defineModule({ name: 'trial', title: 'Trial', plan: (ctx) => ctx.task(task) });
  return definePipeline({
    name: 'trial',
    command: 'trial run',
    title: 'Trial',
    plan: (ctx) => ctx.module(module),
  });
}

const commandOf = (run: PipelineRun) =>
  defineCommand({
    path: 'trial run',
    summary: 'Try steps',
    options: pipelineOptions,
    examples: [],
    run: (call) => runPipeline(call, () => run),
  });

async function captureOutput(act: () => Promise<number>, onLine: (line: string) => void): Promise<CommandOutcome> {
  let text = '';
  const onWrite = (chunk: unknown) => {
    text += String(chunk);
    for (const line of String(chunk).split('\n').filter(Boolean)) onLine(line);
    return true;
  };
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(onWrite),
  );
  try {
    return { exit: await act(), text };
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
}
