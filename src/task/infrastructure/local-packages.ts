import { on } from '../../plan/fragment.ts';
import { providePackages, withdrawPackages } from '../../step/os/local-packages.ts';
import { defineTask } from '../task.ts';

export const provideLocalPackages = defineTask({
  name: 'provide-packages',
  title: 'Bring packages of a bundle to the hosts',
  plan: ({ cluster, hosts }) => on(hosts.all, providePackages(cluster)),
});

export const withdrawLocalPackages = defineTask({
  name: 'withdraw-packages',
  title: 'Take packages of a bundle away from the hosts',
  plan: ({ hosts }) => on(hosts.all, withdrawPackages),
});
