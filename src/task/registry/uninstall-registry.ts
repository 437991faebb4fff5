import { chain } from '../../plan/fragment.ts';
import { distributionStepsToUndo } from '../../step/registry/steps.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';

/** Whether images stay. */
export interface UninstallOptions {
  readonly preserveData: boolean;
}

export const uninstallRegistry = defineTask<UninstallOptions>({
  name: 'uninstall-registry',
  title: 'Remove the image registry from its host',
  // Another host may have had it.
  plan: ({ hosts }, options) => chain(hosts.all, distributionStepsToUndo(options).map(reverse)),
});
