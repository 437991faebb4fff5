import type { Assets } from '../../../resource/assets.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { CNI_DIRECTORIES } from '../../../config/model/network-plugins.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { packageParts } from '../../common/offline-packages.ts';
import { CONTAINER_RUNTIMES } from '../../../config/model/container-runtimes.ts';
import { crictlConfig } from '../../../template/crictl.ts';
import { CRIO } from '../../../template/crio.ts';
import { file } from '../../common/file.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Installs CRI-O, its OCI runtime and crictl from the release bundle. */
export const installCrioProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cri-o',
    summary: 'Install CRI-O',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)bin\/[\w.-]+$/.test(member),
    beside: [
      ...['/etc/crio', '/etc/containers'].map((path) => ownedDirectory({ path })),
      file({ path: '/etc/crictl.yaml', content: crictlConfig(`unix://${CRIO.socket}`) }),
    ],
  });

/** Installs the CNI plugins of the same bundle. */
export const installCrioPlugins = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cri-o',
    step: 'cri-o.install-plugins',
    summary: 'Install CNI plugins',
    into: '/opt/cni/bin',
    wanted: (member) => /(^|\/)cni-plugins\/[\w.-]+$/.test(member),
    beside: CNI_DIRECTORIES.map((path) => ownedDirectory({ path })),
  });

const THIRTY_MINUTES = 1_800_000;

/** Installs CRI-O from the package repositories configured on the host. */
export const installCrioPackages = ({ offline }: Pick<Assets, 'offline'>): Step =>
  defineStep({
    name: 'cri-o.packages',
    summary: 'Install CRI-O from packages',
    timeoutMs: THIRTY_MINUTES,
    reversible: true,
    parts: ({ facts }) => packageParts(CONTAINER_RUNTIMES['cri-o'].packages(facts), { offline }),
  });
