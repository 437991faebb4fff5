import { chain } from '../../plan/fragment.ts';
import { harborStepsToUndo } from '../../step/registry/harbor/steps.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';
import type { UninstallOptions } from './uninstall-registry.ts';

export const uninstallHarbor = defineTask<UninstallOptions>({
  name: 'uninstall-harbor',
  title: 'Remove harbor from its host',
  // Another host may have had it.
  plan: ({ hosts }, options) => chain(hosts.all, harborStepsToUndo(options).map(reverse)),
});
