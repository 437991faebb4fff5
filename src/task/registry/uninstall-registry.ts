import type { Registry } from '../../config/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import { distributionStepsToUndo } from '../../step/registry/steps.ts';
import { reverse } from '../../step/reverse.ts';
import { defineTask } from '../task.ts';

/** A registry, and whether its images stay. */
export interface UninstallOptions {
  readonly registry: Extract<Registry, { readonly type: 'registry' }>;
  readonly preserveData: boolean;
}

export const uninstallRegistry = defineTask<UninstallOptions>({
  name: 'uninstall-registry',
  title: 'Remove the image registry from its host',
  plan: ({ hosts }, { registry, preserveData }) =>
    chain(hosts.withRole('registry').slice(0, 1), distributionStepsToUndo(registry, { preserveData }).map(reverse)),
});
