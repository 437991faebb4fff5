import { sh, type Command } from '../../runner/command.ts';
import { fieldOf, flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../difference.ts';
import type { GenericStep } from '../step.ts';
import { file } from './file.ts';

/** A module of the kernel. */
export interface KernelModuleOptions {
  readonly name: string;
  /** A path that is only there with it: some kernels have it built in and do not say so. */
  readonly sign?: string;
}

/** The kernel has the module, loaded or built in, and has it again after a boot. */
export function kernelModule({ name, sign }: KernelModuleOptions): GenericStep {
  const conf = file({ path: `/etc/modules-load.d/kubexm-${name}.conf`, content: `# Written by kubexm.\n${name}\n` });
  const present = isPresent(name, sign);
  return Object.freeze<GenericStep>({
    summary: `load the kernel module ${name}`,
    async precheck(ctx) {
      const [finding, there] = await Promise.all([conf.precheck(ctx), ctx.runner.test(present)]);
      const differences = there ? [] : ['it is neither loaded nor built in'];
      if (finding.done) return findingOf(differences);
      return findingOf([...differences, `it is not loaded at boot: ${finding.because}`], finding.diff);
    },
    async remember(ctx) {
      const [kept, there] = await Promise.all([conf.remember?.(ctx), ctx.runner.test(present)]);
      return { file: kept ?? null, there };
    },
    async run(ctx) {
      if (!(await ctx.runner.test(present))) await ctx.runner.run(sh`modprobe ${name}`);
      await conf.run(ctx);
    },
    async rollback(ctx, before) {
      // A module that something uses by now cannot go, and need not: only the boot must not bring it back.
      if (!flagOf(before, 'there')) await ctx.runner.run(sh`modprobe -r ${name} 2>/dev/null || true`);
      await conf.rollback?.(ctx, fieldOf(before, 'file') ?? null);
    },
  });
}

function isPresent(name: string, sign: string | undefined): Command {
  const folder = name.replaceAll('-', '_');
  const builtin = `/${name.replaceAll(/[-_]/g, '[-_]')}\\.ko`;
  return sh`[ -d ${`/sys/module/${folder}`} ] || grep -q ${builtin} /lib/modules/"$(uname -r)"/modules.builtin 2>/dev/null || [ -e ${sign ?? '/nonexistent'} ]`;
}
