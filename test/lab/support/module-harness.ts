import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Family } from '../../../src/common/component-family.ts';
import type { Lab } from '../../../src/lab/up.ts';
import type { Module } from '../../../src/module/module.ts';
import { assetsModule } from '../../../src/module/preflight/assets.ts';
import { definePipeline } from '../../../src/pipeline/pipeline.ts';
import { sequence } from '../../../src/plan/fragment.ts';
import { findAssets } from '../../../src/runtime/plan/find-assets.ts';
import type { Assets } from '../../../src/task/preflight/prepare-assets.ts';
import { runAsCommand, type CommandOutcome } from './step-harness.ts';

/** Runs individual modules on the machines of a lab. */
export interface ModuleHarness {
  readonly file: string;
  /** Writes a copy of the lab's cluster file with a changed spec and, optionally, another cluster name. */
  write(change: (spec: Spec) => object, name?: string): Promise<void>;
  /** Downloads the artifacts of these families, then runs the modules. */
  create(families: readonly Family[], modules: (assets: Assets) => readonly Module[]): Promise<CommandOutcome>;
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
  const named = { name: 'trial', command: 'trial run', title: 'Trial' };
  return Object.freeze<ModuleHarness>({
    file,
    async write(change, name) {
      const { spec, metadata, ...rest } = parse(await readFile(paths.cluster, 'utf8'));
      const cluster = { ...rest, metadata: { ...metadata, ...(name !== undefined && { name }) }, spec: change(spec) };
      await writeFile(file, stringify(cluster), { mode: 0o600 });
    },
    create: (families, modules) =>
      runAsCommand(
        {
          command: 'trial run',
          pipeline: ({ cluster, location: { workdir } }) => {
            const assetsFor = findAssets(cluster, { workdir, families: { all: families }, offline: false });
            return (found) => {
              const assets = assetsFor(found);
              const all = [assetsModule(assets), ...modules(assets)];
              return definePipeline({ ...named, plan: (ctx) => sequence(...all.map((one) => ctx.module(one))) });
            };
          },
        },
        argv,
      ),
    remove: (...modules) =>
      runAsCommand(
        {
          command: 'trial run',
          removesCluster: true,
          pipeline: () =>
            definePipeline({ ...named, plan: (ctx) => sequence(...modules.map((one) => ctx.module(one))) }),
        },
        argv,
      ),
  });
}
