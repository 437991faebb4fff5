import { fail } from '../../common/errors/errors.ts';
import { LOCAL_REPOSITORY } from '../../runner/package/apt.ts';
import { packages } from './packages.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** Ensures that the packages are installed; offline only from a bundle that was uploaded to the host. */
export const packageParts = (
  names: readonly string[],
  { offline }: { readonly offline: boolean },
): readonly GenericStep[] => (offline ? [providedByBundle(names), packages(names)] : [packages(names)]);

const providedByBundle = (names: readonly string[]): GenericStep => {
  const missingOn = async ({ runner }: StepContext) => {
    const [installed, repository] = await Promise.all([
      runner.packages.installed(names),
      runner.stat(`${LOCAL_REPOSITORY}/list`),
    ]);
    return repository ? [] : names.filter((name) => !installed.has(name));
  };
  return Object.freeze<GenericStep>({
    key: 'check:offline-packages',
    summary: `check that a bundle provides ${names.join(', ')}`,
    async precheck(ctx) {
      const missing = await missingOn(ctx);
      return missing.length === 0 ? DONE : { done: false, because: `not provided by a bundle: ${missing.join(', ')}` };
    },
    async run(ctx) {
      const missing = await missingOn(ctx);
      const { host, facts } = ctx;
      const system = `${facts.os.id}-${facts.os.versionId}`;
      if (missing.length > 0) throw fail('OFFLINE_PACKAGES', { host: host.name, packages: missing.join(' '), system });
    },
  });
};
