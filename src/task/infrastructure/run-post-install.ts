import { empty, on } from '../../plan/fragment.ts';
import { postInstall } from '../../step/os/script.ts';
import { defineTask } from '../task.ts';

export const runPostInstall = defineTask({
  name: 'run-post-install',
  title: 'Run the scripts of system.postInstall',
  plan: ({ cluster, hosts }) => (cluster.system.postInstall.length === 0 ? empty : on(hosts.all, postInstall(cluster))),
});
