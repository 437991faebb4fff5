import { crictlConfig } from '../../../template/crictl.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { CNI_DIRECTORIES } from '../shared/cni-directories.ts';
import type { Step } from '../../contract/step.ts';
import { installProgram, type Programs } from '../../transfer/install-program.ts';

/** What starts containers. */
export const installRunc = (programs?: Programs): Step =>
  installProgram(programs, { name: 'runc', summary: 'Install runc', into: '/usr/local/sbin' });

/** What gives pods their network. */
export const installCniPlugins = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'cni-plugins',
    summary: 'Install the CNI plugins',
    into: '/opt/cni/bin',
    wanted: (member) => !/(LICENSE|README\.md)$/.test(member),
    beside: CNI_DIRECTORIES.map((path) => ownedDirectory({ path })),
  });

/** What people look at containers with. */
export const installCrictl = (socket: string, programs?: Programs): Step =>
  installProgram(programs, {
    name: 'crictl',
    summary: 'Install crictl',
    into: '/usr/local/bin',
    beside: [file({ path: '/etc/crictl.yaml', content: crictlConfig(socket) })],
  });
