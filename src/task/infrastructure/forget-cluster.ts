import { chain } from '../../plan/fragment.ts';
import { withdrawPackages } from '../../step/os/local-packages.ts';
import { forgetOrigins } from '../../step/os/forget-origins.ts';
import { defineTask } from '../task.ts';

export const forgetCluster = defineTask({
  name: 'forget-cluster',
  title: 'Remove what kubexm kept on the hosts',
  plan: ({ hosts }) => chain(hosts.all, [withdrawPackages, forgetOrigins]),
});
