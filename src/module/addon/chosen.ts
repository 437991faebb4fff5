import type { AddonsInput } from '../../task/addon/addons-task.ts';
import { installAddon } from '../../task/addon/install-addons.ts';
import { uninstallAddon } from '../../task/addon/uninstall-addon.ts';
import { defineModule, type Module } from '../module.ts';

/** Some addons, by themselves. */
export const installChosenModule = (input: AddonsInput): Module =>
  defineModule({ name: 'addon', title: 'Install addons', plan: ({ task }) => task(installAddon, input) });

/** Some addons go. */
export const uninstallChosenModule = (input: AddonsInput): Module =>
  defineModule({ name: 'addon', title: 'Uninstall addons', plan: ({ task }) => task(uninstallAddon, input) });
