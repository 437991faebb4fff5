import { sh, type Command } from '../../runner/command.ts';
import { fieldOf, textsOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { file, restoreFile } from './file.ts';

export interface KernelModule {
  readonly name: string;
  /** Succeeds if the kernel has the module; some kernels do not list modules that are built in. */
  readonly evidence?: Command;
}

/** Kernel modules, and the file that loads them at boot. */
export interface KernelModulesOptions {
  /** "/etc/modules-load.d/kubexm.conf" */
  readonly path: string;
  readonly modules: readonly KernelModule[];
}

/** Ensures that the kernel modules are loaded or built in, and are loaded again at boot. */
export function kernelModules({ path, modules }: KernelModulesOptions): GenericStep {
  const names = modules.map(({ name }) => name);
  const conf = file({ path, content: `# Written by kubexm.\n${names.map((name) => `${name}\n`).join('')}` });
  const missing = async ({ runner }: StepContext) => {
    const present = await Promise.all(modules.map((module) => runner.test(isPresent(module))));
    return names.filter((_, index) => !present[index]);
  };
  return Object.freeze<GenericStep>({
    key: `kernel-modules:${path}`,
    summary: `load kernel modules ${names.join(', ')}`,
    formerly: [`kernel modules ${path}`, `load the kernel modules ${names.join(', ')}`],
    async precheck(ctx) {
      const [finding, absent] = await Promise.all([conf.precheck(ctx), missing(ctx)]);
      const differences = absent.length === 0 ? [] : [`not loaded: ${absent.join(', ')}`];
      if (finding.done) return findingOf(differences);
      return findingOf([...differences, `${path}: ${finding.because}`], finding.diff);
    },
    async remember(ctx) {
      const [kept, absent] = await Promise.all([conf.remember?.(ctx), missing(ctx)]);
      return { file: kept ?? null, absent };
    },
    async run(ctx) {
      for (const name of await missing(ctx)) await ctx.runner.run(sh`modprobe ${name}`);
      await conf.run(ctx);
    },
    rollback: (ctx, before) => restoreKernelModules(ctx, path, before),
  });
}

/** Unloads modules that were not loaded before, and restores the file. */
export const restoreKernelModules: Restore = async (ctx, path, before) => {
  // A module that is in use stays loaded until the next boot. `modprobe -r` would also unload its dependencies, such as
  // bridge, and with it the bridges of the host.
  const remove = textsOf(before, 'absent').toReversed();
  const text = remove.map((name) => sh`rmmod ${name} 2>/dev/null || true`.text).join('\n');
  if (remove.length > 0) await ctx.runner.run({ text, display: `rmmod ${remove.join(' ')}` });
  await restoreFile(ctx, path, fieldOf(before, 'file') ?? null);
};

function isPresent({ name, evidence = sh`false` }: KernelModule): Command {
  const folder = name.replaceAll('-', '_');
  const builtin = `/${name.replaceAll(/[-_]/g, '[-_]')}\\.ko`;
  return sh`[ -d ${`/sys/module/${folder}`} ] || grep -q ${builtin} /lib/modules/"$(uname -r)"/modules.builtin 2>/dev/null || ${evidence}`;
}
