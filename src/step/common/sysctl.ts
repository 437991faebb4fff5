import { sh } from '../../runner/command.ts';
import { fieldOf, keysOf, textOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { fileFinding } from './file-finding.ts';
import { rememberPath, restorePath } from '../contract/keep.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** Settings of the kernel, and the file that brings them back after a boot. */
export interface SysctlOptions {
  /** "/etc/sysctl.d/95-kubexm.conf" */
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** Where more is better: a value that is higher already is left alone. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Leaves out what this kernel does not have. */
  readonly whereKnown?: boolean;
}

/** The kernel has these values now, and has them again after a boot. */
export function sysctl(options: SysctlOptions): GenericStep {
  const { path } = options;
  return Object.freeze<GenericStep>({
    key: `sysctl:${path}`,
    summary: `set what ${path} says`,
    formerly: [`sysctl ${path}`, `set what ${path} says`],
    async precheck(ctx) {
      const { state, content, wanted, differences } = await look(ctx, options);
      const finding = fileFinding({ state, content }, wanted);
      if (finding.done) return findingOf(differences);
      return findingOf([`${path}: ${finding.because}`, ...differences], finding.diff);
    },
    async remember(ctx) {
      const [{ live }, kept] = await Promise.all([look(ctx, options), rememberPath(ctx, copyOf(path), path)]);
      return { file: kept, live: Object.fromEntries(live) };
    },
    async run(ctx) {
      const { state, content, wanted } = await look(ctx, options);
      if (!fileFinding({ state, content }, wanted).done) await ctx.runner.write(wanted);
      await ctx.runner.run(sh`sysctl -q -p ${path}`);
    },
    rollback: (ctx, before) => restoreSysctl(ctx, path, before),
  });
}

/** Restores the file, and those values in the kernel that are still ours. */
export const restoreSysctl: Restore = async (ctx, path, before) => {
  const was = fieldOf(before, 'live') ?? null;
  const sets = (await stillOurs(ctx, path, keysOf(was))).map(
    (key) => sh`printf '%s\n' ${textOf(was, key)} > ${pathOf(key)} || exit`.text,
  );
  await ctx.runner.run({ text: sets.join('\n') || 'true', display: `put back ${path}` });
  await restorePath(ctx, copyOf(path), path, fieldOf(before, 'file') ?? null);
};

/** Names the copy that is kept of the file; permanent. */
const copyOf = (path: string) => `file ${path}`;

/** The keys that have the value we gave them; others were set since, or went with their module. */
async function stillOurs({ runner }: StepContext, path: string, keys: readonly string[]) {
  const [content = '', ...found] = await Promise.all([
    runner.read(path),
    ...keys.map((key) => runner.read(pathOf(key))),
  ]);
  // The last run wrote the file with all values that it set.
  const lines = content.split('\n').map((line) => line.split(' = '));
  const ours = new Map(lines.map(([key, value]) => [key, value] as const));
  return keys.filter((key, place) => found[place] !== undefined && words(found[place]) === words(`${ours.get(key)}`));
}

/** The values the kernel has now, the file, and what the file should be. */
async function look({ runner }: StepContext, { path, values, atLeast = {}, whereKnown = false }: SysctlOptions) {
  const keys = [...Object.keys(values), ...Object.keys(atLeast)];
  const [state, content, ...found] = await Promise.all([
    runner.stat(path),
    runner.read(path),
    ...keys.map((key) => runner.read(pathOf(key))),
  ]);
  const live = new Map(keys.flatMap((key, place) => (found[place] === undefined ? [] : [[key, words(found[place])]])));
  const written = new Set(content?.split('\n').map((line) => line.split(' ')[0]));
  const wanted = [
    ...Object.entries(values).map(([key, value]) => [key, String(value)] as const),
    // What we raised ourselves has to be raised again after a boot.
    ...Object.entries(atLeast)
      .filter(([key, least]) => written.has(key) || Number(live.get(key) ?? 0) < least)
      .map(([key, least]) => [key, String(least)] as const),
  ].filter(([key]) => !whereKnown || live.has(key));
  const lines = wanted.map(([key, value]) => `${key} = ${value}\n`);
  return {
    state,
    content,
    live,
    wanted: { path, content: `# Written by kubexm.\n${lines.join('')}`, mode: 0o644, owner: 'root:root' },
    differences: wanted.flatMap(([key, value]) => differenceOf(key, live.get(key), value, key in atLeast)),
  };
}

function differenceOf(key: string, now: string | undefined, wanted: string, least: boolean): readonly string[] {
  if (now === undefined) return [`the kernel has no ${key}`];
  if (least ? Number(now) >= Number(wanted) : now === words(wanted)) return [];
  return [`${key} is ${now}, not ${least ? 'at least ' : ''}${wanted}`];
}

/** As sysctl reads keys: by the first separator; a dot within a name is then written with the other one. */
const pathOf = (key: string) => {
  const slashes = /[./]/.exec(key)?.[0] === '/';
  return `/proc/sys/${slashes ? key : key.replaceAll(/[./]/g, (sign) => (sign === '.' ? '/' : '.'))}`;
};

const words = (value: string) => value.trim().split(/\s+/).join(' ');
