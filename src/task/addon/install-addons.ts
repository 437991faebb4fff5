import { installAddon as installStep } from '../../step/addon/install.ts';
import { addonsTask } from './addons-task.ts';

export const installStorage = addonsTask('install-storage', 'Install storage for volumes', installStep);
export const installIngress = addonsTask('install-ingress', 'Install an ingress controller', installStep);
export const installMonitoring = addonsTask('install-monitoring', 'Install what measures and watches', installStep);
export const installAddon = addonsTask('install-addon', 'Install addons', installStep);
