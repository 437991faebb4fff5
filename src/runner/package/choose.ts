import { fail } from '../../common/errors/errors.ts';
import type { PackageManager } from '../package-manager.ts';
import type { Runner } from '../runner.ts';
import { apt } from './apt.ts';
import { dnf, yum } from './rpm.ts';

/** What installs the packages of a host, by its facts. */
export function packageManagerOf(runner: Runner): PackageManager {
  const { packageManager, os } = runner.facts;
  if (packageManager === undefined) {
    throw fail('PACKAGE_MANAGER_MISSING', { host: runner.host, os: os.prettyName });
  }
  return { apt, dnf, yum }[packageManager](runner);
}
