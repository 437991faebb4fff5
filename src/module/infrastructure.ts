import { perHost, sequence } from '../plan/fragment.ts';
import { provideLocalPackages, withdrawLocalPackages } from '../task/infrastructure/local-packages.ts';
import { admitHosts, forgetCluster, prepareOs, restoreOs, runPostInstall } from '../task/infrastructure/os.ts';
import { restoreTime, syncTime } from '../task/infrastructure/time.ts';
import { defineModule } from './module.ts';

const name = 'infrastructure';

export const prepareHostsModule = defineModule({
  name,
  title: 'Prepare the hosts',
  plan: ({ task }) => perHost(task(prepareOs), task(syncTime)),
});

/** Lets hosts that stay unchanged otherwise accept connections of new hosts. */
export const admitHostsModule = defineModule({
  name,
  title: 'Admit the new hosts',
  plan: ({ task }) => task(admitHosts),
});

export const finishHostsModule = defineModule({
  name,
  title: 'Finish the hosts',
  plan: ({ task }) => task(runPostInstall),
});

export const restoreHostsModule = defineModule({
  name,
  title: 'Restore the hosts',
  plan: ({ task }) => sequence(task(restoreTime), task(restoreOs), task(forgetCluster)),
});

export const provideSystemPackagesModule = defineModule({
  name,
  title: 'Provide system packages',
  plan: ({ task }) => task(provideLocalPackages),
});

export const withdrawSystemPackagesModule = defineModule({
  name,
  title: 'Withdraw system packages',
  plan: ({ task }) => task(withdrawLocalPackages),
});
