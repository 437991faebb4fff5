import type { Assets } from '../../../resource/assets.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { CNI_DIRECTORIES } from '../shared/cni-directories.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { packageParts } from '../../common/offline-packages.ts';
import { CONTAINER_RUNTIMES } from '../../../config/model/container-runtimes.ts';
import { crictlConfig } from '../../../template/crictl.ts';
import { CRIO } from '../../../template/crio.ts';
import { file } from '../../common/file.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** cri-o, what it starts containers through, and crictl, out of its bundle. */
export const installCrioProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cri-o',
    summary: 'Install cri-o',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)bin\/[\w.-]+$/.test(member),
    beside: [
      ...['/etc/crio', '/etc/containers'].map((path) => ownedDirectory({ path })),
      file({ path: '/etc/crictl.yaml', content: crictlConfig(`unix://${CRIO.socket}`) }),
    ],
  });

/** What gives pods their network, out of the same bundle. */
export const installCrioPlugins = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cri-o',
    step: 'cri-o.install-plugins',
    summary: 'Install the CNI plugins of cri-o',
    into: '/opt/cni/bin',
    wanted: (member) => /(^|\/)cni-plugins\/[\w.-]+$/.test(member),
    beside: CNI_DIRECTORIES.map((path) => ownedDirectory({ path })),
  });

const THIRTY_MINUTES = 1_800_000;

/** cri-o from repositories that the hosts know already. */
export const installCrioPackages = ({ offline }: Pick<Assets, 'offline'>): Step =>
  defineStep({
    name: 'cri-o.packages',
    summary: 'Install cri-o from the package repositories of the host',
    timeoutMs: THIRTY_MINUTES,
    reversible: true,
    parts: ({ facts }) => packageParts(CONTAINER_RUNTIMES['cri-o'].packages(facts), { offline }),
  });
