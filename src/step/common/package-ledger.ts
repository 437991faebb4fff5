import { join } from 'node:path/posix';
import { makeBackupDir } from '../../runner/backup.ts';
import { sh } from '../../runner/command.ts';
import type { StepContext } from '../contract/part.ts';

/** The packages that transactions of kubexm added to and removed from a host. Changes by others are not included. */
export interface PackageLedger {
  readonly added: ReadonlySet<string>;
  /** With the reason it was installed: requested, or only a dependency. */
  readonly removed: ReadonlyMap<string, 'wanted' | 'dependency'>;
}

/** Whether the result of a transaction is not recorded yet. */
export const isOpen = async (ctx: StepContext): Promise<boolean> =>
  (await ctx.runner.stat(pathsOf(ctx).open)) !== undefined;

/** Records the installed packages; all changes until `closeLedger` are attributed to kubexm. */
export async function openLedger(ctx: StepContext): Promise<void> {
  const { open } = pathsOf(ctx);
  if (await isOpen(ctx)) return;
  await ctx.runner.run(makeBackupDir(ctx.originDir));
  await write(ctx, open, await installedLines(ctx));
}

/** Records the packages added and removed since `openLedger`, even if that was before a crash. */
export async function closeLedger(ctx: StepContext): Promise<void> {
  const { open, ledger } = pathsOf(ctx);
  const [before, old = '', now] = await Promise.all([
    ctx.runner.read(open),
    ctx.runner.read(ledger),
    installedLines(ctx),
  ]);
  if (before === undefined) return;
  const was = new Map(linesOf(before).map((line) => [line.split(' ')[0] ?? '', line]));
  const is = new Set(now.map((line) => line.split(' ')[0] ?? ''));
  const added = [...is].filter((name) => !was.has(name)).map((name) => `+ ${name}`);
  const removed = [...was].filter(([name]) => !is.has(name)).map(([, line]) => `- ${line}`);
  await write(ctx, ledger, [...new Set([...linesOf(old), ...added, ...removed])]);
  await ctx.runner.run(sh`rm -f -- ${open}`);
}

export async function readLedger(ctx: StepContext): Promise<PackageLedger> {
  const lines = linesOf((await ctx.runner.read(pathsOf(ctx).ledger)) ?? '').map((line) => line.split(' '));
  return {
    added: new Set(lines.flatMap(([sign, name = '']) => (sign === '+' ? name : []))),
    removed: new Map(
      lines.flatMap(([sign, name = '', why]) =>
        sign === '-' ? [[name, why === 'dependency' ? why : ('wanted' as const)]] : [],
      ),
    ),
  };
}

const pathsOf = ({ originDir }: StepContext) => ({
  ledger: join(originDir, 'packages'),
  open: join(originDir, 'packages.open'),
});

async function installedLines({ runner: { packages } }: StepContext): Promise<readonly string[]> {
  const [installed, dependencies] = await Promise.all([packages.installed(), packages.dependencies()]);
  return [...installed.keys()].map((name) => (dependencies.has(name) ? `${name} dependency` : name));
}

const write = ({ runner }: StepContext, path: string, lines: readonly string[]) =>
  runner.write({ path, content: lines.map((line) => `${line}\n`).join(''), mode: 0o600, owner: 'root:root' });

const linesOf = (text: string) => text.split('\n').filter(Boolean);
