import { makeBackupDir } from '../../runner/backup.ts';
import type { PackageManager } from '../../runner/package-manager.ts';
import { findingOf } from '../contract/finding.ts';
import { backupPath, requireBackup } from '../contract/backup.ts';
import { streamOutput } from '../contract/output.ts';
import { closeLedger, isOpen, openLedger, readLedger } from './package-ledger.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/**
 * Ensures that the packages are installed. Undo removes the packages that were added, unless something else depends on
 * them by now, and reinstalls the packages they replaced.
 */
export function packages(names: readonly string[]): GenericStep {
  const missingOf = async (manager: PackageManager) => {
    const installed = await manager.installed(names);
    return names.filter((name) => !installed.has(name));
  };
  return Object.freeze<GenericStep>({
    key: 'packages:system',
    summary: `install ${names.join(', ')}`,
    formerly: [COPY, `install ${names.join(', ')}`],
    async precheck(ctx) {
      const [missing, open] = await Promise.all([missingOf(ctx.runner.packages), isOpen(ctx)]);
      return findingOf([
        ...(missing.length > 0 ? [`not installed: ${missing.join(', ')}`] : []),
        ...(open ? ['an interrupted package transaction is not recorded'] : []),
      ]);
    },
    async remember(ctx) {
      const { packages: manager } = ctx.runner;
      const [installed, leftovers] = await Promise.all([manager.installed(), manager.leftovers()]);
      const lines = [...[...installed.keys()].map((name) => `i ${name}`), ...leftovers.map((name) => `c ${name}`)];
      const content = `${lines.join('\n')}\n`;
      await ctx.runner.run(makeBackupDir(ctx.keepDir));
      await ctx.runner.write({ path: backupPath(ctx, COPY), content, mode: 0o600, owner: 'root:root' });
      return { installed: installed.size };
    },
    async run(ctx) {
      await openLedger(ctx);
      const missing = await missingOf(ctx.runner.packages);
      if (missing.length > 0) await ctx.runner.packages.install(missing, streamOutput(ctx));
      await closeLedger(ctx);
    },
    rollback: (ctx, before) => restorePackages(ctx, 'system', before),
  });
}

/** Name of the saved package list; must not change between releases. */
const COPY = 'packages';

/** Removes added packages unless something else depends on them by now, and reinstalls replaced packages. */
export const restorePackages: Restore = async (ctx) => {
  await requireBackup(ctx, COPY, 'the package list');
  await closeLedger(ctx);
  const { packages: manager } = ctx.runner;
  const [kept, now, ledger] = await Promise.all([
    ctx.runner.read(backupPath(ctx, COPY)),
    manager.installed(),
    readLedger(ctx),
  ]);
  const before = new Set(kept?.split('\n'));
  const ours = [...now.keys()].filter((name) => ledger.added.has(name) && !before.has(`i ${name}`));
  const removable = await unneeded(manager, ours);
  for (const name of ours) if (!removable.includes(name)) ctx.say(`keeping ${name}: another package depends on it`);
  const options = streamOutput(ctx);
  const hadConfiguration = (name: string) => before.has(`c ${name}`);
  await manager.removeKeepingConfiguration(removable.filter(hadConfiguration), options);
  await manager.remove(
    removable.filter((name) => !hadConfiguration(name)),
    options,
  );
  const replaced = [...ledger.removed].filter(([name]) => before.has(`i ${name}`) && !now.has(name));
  if (replaced.length === 0) return;
  await manager.install(
    replaced.map(([name]) => name),
    options,
  );
  const dependencies = replaced.flatMap(([name, why]) => (why === 'dependency' ? name : []));
  if (dependencies.length > 0) await manager.asDependencies(dependencies);
};

/** The packages on which no package outside the list depends. */
async function unneeded(manager: PackageManager, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const neededBy = await manager.neededBy(names);
  let left = names;
  for (;;) {
    const next = left.filter((name) => (neededBy.get(name) ?? []).every((other) => left.includes(other)));
    if (next.length === left.length) return left;
    left = next;
  }
}
