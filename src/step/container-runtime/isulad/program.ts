import type { Assets } from '../../../resource/assets.ts';
import { ISULAD } from '../../../template/isulad.ts';
import { packageParts } from '../../common/offline-packages.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { CONTAINER_RUNTIMES } from '../../../config/model/container-runtimes.ts';
import { sh } from '../../../runner/command.ts';
import type { ImageStore } from '../shared/import-images.ts';

/** Installs iSulad from packages: it has no release archive. */
export const installIsuladPackages = ({ offline }: Pick<Assets, 'offline'>): Step =>
  defineStep({
    name: 'isulad.packages',
    summary: 'Install iSulad from packages',
    timeoutMs: 1_800_000,
    reversible: true,
    parts: ({ facts }) => [
      ...['/etc/isulad', ISULAD.root].map((path) => ownedDirectory({ path, mode: 0o711 })),
      ...packageParts(CONTAINER_RUNTIMES.isulad.packages(facts), { offline }),
    ],
  });

export const isuladImages: ImageStore = {
  runtime: 'isulad',
  has: (ref) => sh`[ -n "$(command -v isula)" ] && timeout 20 isula inspect -f '{{.image.id}}' ${ref} >/dev/null 2>&1`,
  load: (path) => sh`isula load -i ${path}`,
};
