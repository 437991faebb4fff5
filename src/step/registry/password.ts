import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { ensurePassword, registryPasswordPath, savedPassword } from './saved-password.ts';

/** This machine has the password of the registry, unless the cluster file sets one. */
export const makeRegistryPassword = (folder: string): Step =>
  defineStep({
    name: 'registry.password',
    summary: 'Generate the registry password',
    parts: () => [generatedPassword(registryPasswordPath(folder))],
  });

const generatedPassword = (path: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'local-file:registry-password',
    summary: `write ${path}`,
    precheck: async () => findingOf((await savedPassword(path)) ? [] : ['not generated yet']),
    run: async (ctx) => {
      await ensurePassword(path);
      ctx.say(`registry password saved in ${path}`);
    },
  });
