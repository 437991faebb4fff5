import { uninstallAddon as uninstallStep } from '../../step/addon/uninstall.ts';
import { addonsTask } from './addons-task.ts';

export const uninstallAddon = addonsTask('uninstall-addon', 'Uninstall addons', uninstallStep);
