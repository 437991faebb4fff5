import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Lab } from '../../../src/lab/up.ts';
import type { Module } from '../../../src/module/module.ts';
import { prepareAssetsModule } from '../../../src/module/preflight.ts';
import { definePipeline, type Pipeline } from '../../../src/pipeline/pipeline.ts';
import { sequence } from '../../../src/plan/fragment.ts';
import { runAsCommand, type CommandOutcome } from './step-harness.ts';

/** Runs individual modules on the machines of a lab. */
export interface ModuleHarness {
  readonly file: string;
  /** Writes a copy of the lab's cluster file with a changed spec and, optionally, another cluster name. */
  write(change: (spec: Spec) => object, name?: string): Promise<void>;
  /** Downloads the artifacts of the modules, then runs them. */
  create(...modules: readonly Module[]): Promise<CommandOutcome>;
  /** Runs the modules like `delete cluster`. */
  remove(...modules: readonly Module[]): Promise<CommandOutcome>;
}

/** The spec of a lab's cluster file. */
export interface Spec extends Readonly<Record<string, unknown>> {
  readonly hosts: readonly { readonly name: string; readonly address: string }[];
}

export function moduleHarness({ paths }: Lab): ModuleHarness {
  const file = join(paths.folder, 'trial.yaml');
  const argv = ['trial', 'run', '-f', file, '--workdir', paths.folder, '--verbose'];
  return Object.freeze<ModuleHarness>({
    file,
    async write(change, name) {
      const { spec, metadata, ...rest } = parse(await readFile(paths.cluster, 'utf8'));
      const cluster = { ...rest, metadata: { ...metadata, ...(name !== undefined && { name }) }, spec: change(spec) };
      await writeFile(file, stringify(cluster), { mode: 0o600 });
    },
    create: (...modules) =>
      runAsCommand(
        {
          pipeline: pipelineOf([prepareAssetsModule, ...modules]),
          assets: { type: 'catalog', offline: false },
        },
        argv,
      ),
    remove: (...modules) => runAsCommand({ pipeline: pipelineOf(modules), removesCluster: true }, argv),
  });
}

const pipelineOf = (modules: readonly Module[]): Pipeline =>
  definePipeline({
    name: 'trial',
    command: 'trial run',
    title: 'Trial',
    plan: (ctx) => sequence(...modules.map((module) => ctx.module(module))),
  });
