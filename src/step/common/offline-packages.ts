import { fail } from '../../common/errors/errors.ts';
import { LOCAL_REPOSITORY } from '../../runner/package/apt.ts';
import { packages } from './packages.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** The packages are installed; without a network only from what a bundle brought to the host. */
export const packagesFrom = (
  names: readonly string[],
  { offline }: { readonly offline: boolean },
): readonly GenericStep[] => (offline ? [broughtHere(names), packages(names)] : [packages(names)]);

const broughtHere = (names: readonly string[]): GenericStep => {
  const missingOn = async ({ runner }: StepContext) => {
    const [installed, brought] = await Promise.all([
      runner.packages.installed(names),
      runner.stat(`${LOCAL_REPOSITORY}/list`),
    ]);
    return brought ? [] : names.filter((name) => !installed.has(name));
  };
  return Object.freeze<GenericStep>({
    key: 'check:offline-packages',
    summary: `have ${names.join(', ')} from a bundle`,
    async precheck(ctx) {
      const missing = await missingOn(ctx);
      return missing.length === 0 ? DONE : { done: false, because: `no bundle has brought ${missing.join(', ')}` };
    },
    async run(ctx) {
      const missing = await missingOn(ctx);
      const { host, facts } = ctx;
      const system = `${facts.os.id}-${facts.os.versionId}`;
      if (missing.length > 0) throw fail('OFFLINE_PACKAGES', { host: host.name, packages: missing.join(' '), system });
    },
  });
};
