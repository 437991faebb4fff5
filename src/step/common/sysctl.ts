import { sh } from '../../runner/command.ts';
import { fieldOf, textOf } from '../../util/json-fields.ts';
import { findingOf } from '../difference.ts';
import type { GenericStep, StepContext } from '../step.ts';
import { file } from './file.ts';

/** Settings of the kernel, and the file that brings them back after a boot. */
export interface SysctlOptions {
  /** "/etc/sysctl.d/95-kubexm.conf" */
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** The kernel has these values now, and has them again after a boot. */
export function sysctl({ path, values }: SysctlOptions): GenericStep {
  const wanted = Object.entries(values).map(([key, value]) => [key, String(value)] as const);
  const lines = wanted.map(([key, value]) => `${key} = ${value}\n`);
  const conf = file({ path, content: `# Written by kubexm.\n${lines.join('')}` });
  const live = (ctx: StepContext) =>
    Promise.all(wanted.map(async ([key]) => [key, await ctx.runner.read(pathOf(key))] as const));
  return Object.freeze<GenericStep>({
    summary: `set ${wanted.map(([key, value]) => `${key}=${value}`).join(', ')}`,
    async precheck(ctx) {
      const [finding, now] = await Promise.all([conf.precheck(ctx), live(ctx)]);
      const differences = now.flatMap(([key, value]) => {
        if (value === undefined) return `the kernel has no ${key}`;
        const should = String(values[key]);
        return words(value) === words(should) ? [] : `${key} is ${words(value)}, not ${should}`;
      });
      if (finding.done) return findingOf(differences);
      return findingOf([`${path}: ${finding.because}`, ...differences], finding.diff);
    },
    async remember(ctx) {
      const [now, kept] = await Promise.all([live(ctx), conf.remember?.(ctx)]);
      return {
        file: kept ?? null,
        live: Object.fromEntries(now.flatMap(([key, value]) => (value === undefined ? [] : [[key, words(value)]]))),
      };
    },
    async run(ctx) {
      await conf.run(ctx);
      await ctx.runner.run(sh`sysctl -q -p ${path}`);
    },
    async rollback(ctx, before) {
      const was = fieldOf(before, 'live') ?? null;
      const sets = wanted.flatMap(([key]) =>
        fieldOf(was, key) === undefined ? [] : sh`printf '%s\n' ${textOf(was, key)} > ${pathOf(key)} || exit`.text,
      );
      await ctx.runner.run({ text: sets.join('\n') || 'true', display: `put back ${path}` });
      await conf.rollback?.(ctx, fieldOf(before, 'file') ?? null);
    },
  });
}

/** As sysctl reads keys: by the first separator; a dot within a name is then written with the other one. */
const pathOf = (key: string) => {
  const slashes = /[./]/.exec(key)?.[0] === '/';
  return `/proc/sys/${slashes ? key : key.replaceAll(/[./]/g, (sign) => (sign === '.' ? '/' : '.'))}`;
};

const words = (value: string) => value.trim().split(/\s+/).join(' ');
