import { on } from '../../plan/fragment.ts';
import { providePackages, withdrawPackages } from '../../step/os/local-packages.ts';
import { defineTask } from '../task.ts';

export const provideLocalPackages = defineTask({
  name: 'provide-packages',
  title: 'Upload system packages from the bundle to the hosts',
  plan: ({ cluster, hosts }) => on(hosts.all, providePackages(cluster)),
});

export const withdrawLocalPackages = defineTask({
  name: 'withdraw-packages',
  title: 'Remove the uploaded system packages from the hosts',
  plan: ({ hosts }) => on(hosts.all, withdrawPackages),
});
