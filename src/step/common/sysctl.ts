import { sh } from '../../runner/command.ts';
import { fieldOf, keysOf, textOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { fileFinding } from './file-finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** Kernel parameters, and the file that sets them at boot. */
export interface SysctlOptions {
  /** "/etc/sysctl.d/95-kubexm.conf" */
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** Minimum values: a higher value is left unchanged. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Skips parameters that this kernel does not have. */
  readonly skipUnknown?: boolean;
}

/** Ensures that the kernel parameters have these values, now and after a reboot. */
export function sysctl(options: SysctlOptions): GenericStep {
  const { path } = options;
  return Object.freeze<GenericStep>({
    key: `sysctl:${path}`,
    summary: `apply the kernel parameters of ${path}`,
    formerly: [`sysctl ${path}`, `set what ${path} says`],
    async precheck(ctx) {
      const { state, content, wanted, differences } = await inspect(ctx, options);
      const finding = fileFinding({ state, content }, wanted);
      if (finding.done) return findingOf(differences);
      return findingOf([`${path}: ${finding.because}`, ...differences], finding.diff);
    },
    async remember(ctx) {
      const [{ live }, kept] = await Promise.all([inspect(ctx, options), rememberPath(ctx, copyOf(path), path)]);
      return { file: kept, live: Object.fromEntries(live) };
    },
    async run(ctx) {
      const { state, content, wanted } = await inspect(ctx, options);
      if (!fileFinding({ state, content }, wanted).done) await ctx.runner.write(wanted);
      await ctx.runner.run(sh`sysctl -q -p ${path}`);
    },
    rollback: (ctx, before) => restoreSysctl(ctx, path, before),
  });
}

/** Restores the file, and the kernel parameters that still have our value. */
export const restoreSysctl: Restore = async (ctx, path, before) => {
  const was = fieldOf(before, 'live') ?? null;
  const sets = (await stillOurs(ctx, path, keysOf(was))).map(
    (key) => sh`printf '%s\n' ${textOf(was, key)} > ${pathOf(key)} || exit`.text,
  );
  await ctx.runner.run({ text: sets.join('\n') || 'true', display: `restore the kernel parameters of ${path}` });
  await restorePath(ctx, copyOf(path), path, fieldOf(before, 'file') ?? null);
};

/** Name of the file's backup; must not change between releases. */
const copyOf = (path: string) => `file ${path}`;

/** The keys that still have our value; others were set since, or their module was unloaded. */
async function stillOurs({ runner }: StepContext, path: string, keys: readonly string[]) {
  const [content = '', ...found] = await Promise.all([
    runner.read(path),
    ...keys.map((key) => runner.read(pathOf(key))),
  ]);
  // The file has all values that the last run set.
  const lines = content.split('\n').map((line) => line.split(' = '));
  const ours = new Map(lines.map(([key, value]) => [key, value] as const));
  return keys.filter(
    (key, index) => found[index] !== undefined && normalized(found[index]) === normalized(`${ours.get(key)}`),
  );
}

/** The current values and file, and the desired file. */
async function inspect({ runner }: StepContext, { path, values, atLeast = {}, skipUnknown = false }: SysctlOptions) {
  const keys = [...Object.keys(values), ...Object.keys(atLeast)];
  const [state, content, ...found] = await Promise.all([
    runner.stat(path),
    runner.read(path),
    ...keys.map((key) => runner.read(pathOf(key))),
  ]);
  const live = new Map(
    keys.flatMap((key, index) => (found[index] === undefined ? [] : [[key, normalized(found[index])]])),
  );
  const written = new Set(content?.split('\n').map((line) => line.split(' ')[0]));
  const wanted = [
    ...Object.entries(values).map(([key, value]) => [key, String(value)] as const),
    // A value that kubexm raised must be raised again after a boot.
    ...Object.entries(atLeast)
      .filter(([key, least]) => written.has(key) || Number(live.get(key) ?? 0) < least)
      .map(([key, least]) => [key, String(least)] as const),
  ].filter(([key]) => !skipUnknown || live.has(key));
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
  if (now === undefined) return [`${key} does not exist`];
  if (least ? Number(now) >= Number(wanted) : now === normalized(wanted)) return [];
  return [`${key} is ${now}, want ${least ? 'at least ' : ''}${wanted}`];
}

/** Converts a key like sysctl does: the first "." or "/" is the separator, and the other one is a dot within a name. */
const pathOf = (key: string) => {
  const slashes = /[./]/.exec(key)?.[0] === '/';
  return `/proc/sys/${slashes ? key : key.replaceAll(/[./]/g, (char) => (char === '.' ? '/' : '.'))}`;
};

const normalized = (value: string) => value.trim().split(/\s+/).join(' ');
