import { makeBackupDir } from '../../runner/backup.ts';
import type { PackageManager } from '../../runner/package-manager.ts';
import { findingOf } from '../contract/finding.ts';
import { keptAt, requireKept } from '../contract/keep.ts';
import { hearing } from '../contract/output.ts';
import { closeLedger, isOpen, openLedger, readLedger } from './package-ledger.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/**
 * The packages are installed. Undo removes what came by it and did not before, unless something else needs it by now,
 * and brings back what had to give way.
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
        ...(missing.length > 0 ? [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`] : []),
        ...(open ? ['what an interrupted transaction brought is not put down'] : []),
      ]);
    },
    async remember(ctx) {
      const { packages: manager } = ctx.runner;
      const [installed, leftovers] = await Promise.all([manager.installed(), manager.leftovers()]);
      const lines = [...[...installed.keys()].map((name) => `i ${name}`), ...leftovers.map((name) => `c ${name}`)];
      const content = `${lines.join('\n')}\n`;
      await ctx.runner.run(makeBackupDir(ctx.keepDir));
      await ctx.runner.write({ path: keptAt(ctx, COPY), content, mode: 0o600, owner: 'root:root' });
      return { installed: installed.size };
    },
    async run(ctx) {
      await openLedger(ctx);
      const missing = await missingOf(ctx.runner.packages);
      if (missing.length > 0) await ctx.runner.packages.install(missing, hearing(ctx));
      await closeLedger(ctx);
    },
    rollback: (ctx, before) => restorePackages(ctx, 'system', before),
  });
}

/** Names the list of packages that is kept; permanent. */
const COPY = 'packages';

/** Removes what was installed unless something else needs it by now, and reinstalls what had to give way. */
export const restorePackages: Restore = async (ctx) => {
  await requireKept(ctx, COPY, 'the list of packages');
  await closeLedger(ctx);
  const { packages: manager } = ctx.runner;
  const [kept, now, ledger] = await Promise.all([
    ctx.runner.read(keptAt(ctx, COPY)),
    manager.installed(),
    readLedger(ctx),
  ]);
  const before = new Set(kept?.split('\n'));
  const ours = [...now.keys()].filter((name) => ledger.added.has(name) && !before.has(`i ${name}`));
  const fresh = await unneeded(manager, ours);
  for (const name of ours) if (!fresh.includes(name)) ctx.say(`${name} stays: something else needs it by now`);
  const options = hearing(ctx);
  const had = (name: string) => before.has(`c ${name}`);
  await manager.removeKeepingConfiguration(fresh.filter(had), options);
  await manager.remove(
    fresh.filter((name) => !had(name)),
    options,
  );
  const gone = [...ledger.removed].filter(([name]) => before.has(`i ${name}`) && !now.has(name));
  if (gone.length === 0) return;
  const back = gone.map(([name]) => name);
  await manager.install(back, options);
  const dependencies = gone.flatMap(([name, why]) => (why === 'dependency' ? name : []));
  if (dependencies.length > 0) await manager.asDependencies(dependencies);
};

/** Those that only others of them need. */
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
