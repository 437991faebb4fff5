import type { Assets } from '../../../resource/assets.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { packageParts } from '../../common/offline-packages.ts';
import { recordOwner } from '../shared/record-owner.ts';
import { restoreDockerOwner } from './networks.ts';
import { CONTAINER_RUNTIMES } from '../../../config/model/container-runtimes.ts';
import { sh } from '../../../runner/command.ts';
import { flagOf } from '../../../util/json-fields.ts';
import { DONE } from '../../contract/finding.ts';
import type { GenericStep, Restore } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import type { ImageStore } from '../shared/import-images.ts';

/** Records whether the host had Docker before. */
export const recordDockerOwner: Step = recordOwner(
  'docker',
  sh`[ -n "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || [ -d /sys/class/net/docker0 ]`,
  restoreDockerOwner,
);

/** Installs Docker and its runtime from the release archive. */
export const installDockerProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'docker',
    summary: 'Install Docker',
    into: '/usr/local/bin',
    wanted: (member) => /^docker\/[\w.-]+$/.test(member),
  });

const THIRTY_MINUTES = 1_800_000;

/** Installs Docker from the packages of the distribution. */
export const installDockerPackages = ({ offline }: Pick<Assets, 'offline'>): Step =>
  defineStep({
    name: 'docker.packages',
    summary: 'Install Docker from packages',
    timeoutMs: THIRTY_MINUTES,
    reversible: true,
    parts: ({ facts }) => [
      // Removing the packages leaves the group and these directories behind.
      dockerGroup,
      ...PACKAGE_DIRECTORIES.map((path) => ownedDirectory({ path, mode: 0o711 })),
      ...packageParts(CONTAINER_RUNTIMES.docker.packages(facts), { offline }),
    ],
  });

const PACKAGE_DIRECTORIES = [
  '/etc/docker',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/run/containerd',
  '/etc/containerd',
  '/etc/cni/net.d',
];

/** The group whose members may use Docker without root; kubexm adds no members. */
const dockerGroup: GenericStep = Object.freeze<GenericStep>({
  key: 'group:docker',
  summary: 'create group docker',
  formerly: ['make the group docker'],
  async precheck({ runner }) {
    return (await runner.test(HAS_GROUP)) ? DONE : { done: false, because: 'does not exist' };
  },
  async remember({ runner }) {
    return { exists: await runner.test(HAS_GROUP) };
  },
  async run({ runner }) {
    await runner.run(sh`getent group docker >/dev/null || groupadd --system docker`);
  },
  rollback: (ctx, before) => restoreGroup(ctx, 'docker', before),
});

/** Removes the group if kubexm created it. */
export const restoreGroup: Restore = async ({ runner }, name, before) => {
  if (!flagOf(before, 'exists')) await runner.run(sh`! getent group ${name} >/dev/null || groupdel ${name}`);
};

const HAS_GROUP = sh`getent group docker >/dev/null`;

export const installCriDockerd = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'cri-dockerd',
    summary: 'Install cri-dockerd',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)cri-dockerd$/.test(member),
  });

export const dockerImages: ImageStore = {
  runtime: 'docker',
  has: (ref) =>
    sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v docker)" ] && timeout 20 docker image inspect ${ref} >/dev/null 2>&1`,
  load: (path) => sh`PATH=/usr/local/bin:$PATH docker load -i ${path}`,
};
