import type { Assets } from '../../resource/assets.ts';
import { user } from '../common/user.ts';
import { installProgram } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';
import { REGISTRY } from './paths.ts';

/** Installs the registry and creates the user that it runs as. */
export const installRegistryProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'registry',
    summary: 'Install the registry',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)registry$/.test(member),
    beside: [user({ name: REGISTRY.user })],
  });
