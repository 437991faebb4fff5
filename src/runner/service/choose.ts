import { fail } from '../../common/errors/errors.ts';
import type { Runner } from '../runner.ts';
import type { ServiceManager } from '../service-manager.ts';
import { systemd } from './systemd.ts';

/** What looks after the services of a host, by its facts. */
export function serviceManagerOf(runner: Runner): ServiceManager {
  const { init } = runner.facts;
  if (init !== 'systemd') throw fail('SERVICE_MANAGER_MISSING', { host: runner.host, init });
  return systemd(runner);
}
