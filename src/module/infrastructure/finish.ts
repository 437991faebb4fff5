import { runPostInstall } from '../../task/infrastructure/run-post-install.ts';
import { defineModule } from '../module.ts';

export const finishInfrastructure = defineModule({
  name: 'infrastructure',
  title: 'Do what the user wants done at the end',
  plan: ({ task }) => task(runPostInstall),
});
