import type { Family } from '../common/component-family.ts';
import { empty, sequence } from '../plan/fragment.ts';
import { RUNTIMES } from '../task/container-runtime/runtimes.ts';
import { pushImages } from '../task/registry/push-images.ts';
import { defineModule, type Module } from './module.ts';

const name = 'container-runtime';

export const installRuntimeModule = defineModule({
  name,
  title: 'Install the container runtime',
  installs: ['runtime'],
  plan: ({ cluster, task }) => task(RUNTIMES[cluster.kubernetes.containerRuntime.type].install),
});

/** Uninstalls all runtimes, because an earlier cluster file may have selected another one. */
export const uninstallRuntimeModule = defineModule({
  name,
  title: 'Uninstall the container runtime',
  plan: ({ task }) => sequence(...Object.values(RUNTIMES).map(({ uninstall }) => task(uninstall))),
});

/** Pushes the images of the components that the pipeline installs, and of other components. */
export const pushImagesModule = (pushes: readonly Family[] = []): Module =>
  defineModule({
    name,
    title: 'Push images to the registry',
    pushes,
    plan: ({ cluster: { registry }, task }) =>
      registry.type === 'registry' || registry.type === 'harbor' ? task(pushImages, registry) : empty,
  });
