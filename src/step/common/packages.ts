import { makeKeepDir } from '../../runner/keep.ts';
import { DONE } from '../difference.ts';
import { keptAt, requireKept } from '../keep.ts';
import { hearing } from '../hearing.ts';
import type { GenericStep } from '../step.ts';

/** The packages are installed. Undo removes what was not there before, also what came with them. */
export function packages(names: readonly string[]): GenericStep {
  const part = `packages ${names.join(' ')}`;
  return Object.freeze<GenericStep>({
    summary: `install ${names.join(', ')}`,
    async precheck({ runner }) {
      const installed = await runner.packages.installed(names);
      const missing = names.filter((name) => !installed.has(name));
      if (missing.length === 0) return DONE;
      return { done: false, because: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed` };
    },
    async remember(ctx) {
      const { packages: manager } = ctx.runner;
      const [installed, leftovers] = await Promise.all([manager.installed(), manager.leftovers()]);
      const lines = [...[...installed.keys()].map((name) => `i ${name}`), ...leftovers.map((name) => `c ${name}`)];
      const content = `${lines.join('\n')}\n`;
      await ctx.runner.run(makeKeepDir(ctx.keepDir));
      await ctx.runner.write({ path: keptAt(ctx, part), content, mode: 0o600, owner: 'root:root' });
      return { installed: installed.size };
    },
    async run(ctx) {
      const { runner } = ctx;
      const installed = await runner.packages.installed(names);
      const missing = names.filter((name) => !installed.has(name));
      if (missing.length > 0) await runner.packages.install(missing, hearing(ctx));
    },
    async rollback(ctx) {
      await requireKept(ctx, part, 'the list of packages');
      const { packages: manager } = ctx.runner;
      const [kept, now] = await Promise.all([ctx.runner.read(keptAt(ctx, part)), manager.installed()]);
      const before = new Set(kept?.split('\n'));
      const fresh = [...now.keys()].filter((name) => !before.has(`i ${name}`));
      const options = hearing(ctx);
      await manager.removeKeepingConfiguration(
        fresh.filter((name) => before.has(`c ${name}`)),
        options,
      );
      await manager.remove(
        fresh.filter((name) => !before.has(`c ${name}`)),
        options,
      );
    },
  });
}
