import type { Assets } from '../../../resource/assets.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { criSocket } from '../../../config/model/container-runtimes.ts';
import { crictlConfig } from '../../../template/crictl.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { CNI_DIRECTORIES } from '../../../config/model/network-plugins.ts';
import type { Step } from '../../contract/step.ts';
import { installProgram } from '../../transfer/install-program.ts';

export const installRunc = (assets: Assets): Step =>
  installProgram(assets, { name: 'runc', summary: 'Install runc', into: '/usr/local/sbin' });

export const installCniPlugins = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cni-plugins',
    summary: 'Install CNI plugins',
    into: '/opt/cni/bin',
    wanted: (member) => !/(LICENSE|README\.md)$/.test(member),
    beside: CNI_DIRECTORIES.map((path) => ownedDirectory({ path })),
  });

export const installCrictl = (cluster: Cluster, assets: Assets): Step =>
  installProgram(assets, {
    name: 'crictl',
    summary: 'Install crictl',
    into: '/usr/local/bin',
    beside: [file({ path: '/etc/crictl.yaml', content: crictlConfig(criSocket(cluster)) })],
  });
