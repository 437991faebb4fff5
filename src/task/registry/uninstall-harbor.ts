import type { Registry } from '../../config/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import { harborStepsToUndo } from '../../step/registry/harbor/steps.ts';
import { reverse } from '../../step/reverse.ts';
import { defineTask } from '../task.ts';

/** Harbor, and whether its images stay. */
export interface UninstallHarborOptions {
  readonly registry: Extract<Registry, { readonly type: 'harbor' }>;
  readonly preserveData: boolean;
}

export const uninstallHarbor = defineTask<UninstallHarborOptions>({
  name: 'uninstall-harbor',
  title: 'Remove harbor from its host',
  plan: ({ hosts }, { registry, preserveData }) =>
    chain(hosts.withRole('registry').slice(0, 1), harborStepsToUndo(registry, { preserveData }).map(reverse)),
});
