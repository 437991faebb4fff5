import { user } from '../common/user.ts';
import { installProgram, type Programs } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';
import { REGISTRY } from './places.ts';

/** The program is on the host, and a user to run it as. */
export const installRegistry = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'registry',
    summary: 'Install the registry',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)registry$/.test(member),
    beside: [user({ name: REGISTRY.user })],
  });
