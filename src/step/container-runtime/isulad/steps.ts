import type { Cluster } from '../../../config/model/cluster.ts';
import { sh } from '../../../runner/command.ts';
import { ISULAD, isuladConfig } from '../../../template/isulad.ts';
import { clearPods } from '../shared/clear-pods.ts';
import { file } from '../../common/file.ts';
import { fileTree } from '../../common/file-tree.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { configuredService } from '../../common/configured-service.ts';
import { importImages, type ImageStore } from '../shared/import-images.ts';
import { everKubeletLogins, kubeletLogins } from '../shared/kubelet-logins.ts';
import { keptDataDir, rootInJson } from '../shared/kept-data-dir.ts';
import { packagesFrom } from '../../common/offline-packages.ts';
import { provePods } from '../shared/prove-pods.ts';
import { certificateFiles } from '../shared/registry-access.ts';
import { reverse } from '../../contract/reverse.ts';
import { awaitRuntime } from '../shared/await-runtime.ts';
import {
  hubMirrors,
  insecureHosts,
  noSettings,
  runtimeSettings,
  type RuntimeAssets,
  type RuntimeSettings,
} from '../shared/settings.ts';
import { ISULAD_PACKAGES } from '../shared/packages.ts';
import { defineStep, type GenericStep, type Step } from '../../contract/step.ts';

/** Where iSulad answers. */
export const ISULAD_SOCKET: string = ISULAD.socket;

/** What makes a host run containers with iSulad, in order. */
export function isuladSteps(cluster: Cluster, assets: RuntimeAssets): readonly Step[] {
  const settings = runtimeSettings(cluster, assets);
  const { sandboxImage } = settings;
  return [
    installIsulad(assets),
    runIsulad(settings),
    awaitRuntime('isulad'),
    importImages(isuladImages, assets.images),
    provePods('isulad', `${sandboxImage}\n`),
  ];
}

/** What takes it from a host again, the last first; what is not ours is left alone. */
export const isuladStepsToUndo = (cluster: Cluster): readonly Step[] => [
  clearPods({ name: 'isulad', unit: ISULAD.unit, ours: sh`[ -e ${MARK} ]`, keepers: '^[^ ]*isulad-shim ' }),
  ...[provePods('isulad', ''), runIsulad(noSettings(cluster)), installIsulad({ offline: false })].map(reverse),
];

const installIsulad = ({ offline }: { readonly offline: boolean }): Step =>
  defineStep({
    name: 'isulad.packages',
    summary: 'Install iSulad from the package repositories of the host',
    timeoutMs: 1_800_000,
    reversible: true,
    parts: () => [
      ...['/etc/isulad', ISULAD.root].map((path) => ownedDirectory({ path, mode: 0o711 })),
      ...packagesFrom(ISULAD_PACKAGES, { offline }),
    ],
  });

/** iSulad runs with its settings and starts with the host. */
const runIsulad = (settings: RuntimeSettings): Step =>
  defineStep({
    name: 'isulad.run',
    summary: 'Configure and start iSulad',
    reversible: true,
    parts: () => isuladParts(settings, kubeletLogins(settings)),
    everParts: () => isuladParts(settings, everKubeletLogins()),
    partsAt: (path) => [ownedDirectory({ path })],
  });

/** Says that the settings are ours: JSON has no comments. */
const MARK = '/etc/isulad/.kubexm';

function isuladParts(settings: RuntimeSettings, logins: readonly GenericStep[]): readonly GenericStep[] {
  const { dataDir: root = ISULAD.root, sandboxImage, registries, credentials } = settings;
  const config = isuladConfig({ root, sandboxImage, mirrors: hubMirrors(settings), insecure: insecureHosts(settings) });
  return [
    keptDataDir({ runtime: 'isulad', config: ISULAD.config, rootOf: rootInJson('graph'), wanted: root }),
    // As /var/run is a link, mounts have this name.
    ...[root, ISULAD.state.replace(/^\/var/, '')].map((path) => ownedDirectory({ path, mode: 0o711 })),
    fileTree({ path: ISULAD.certs, files: certificateFiles(registries, credentials) }),
    file({ path: MARK, content: '# Written by kubexm.\n' }),
    ...logins,
    ...configuredService({
      unit: ISULAD.unit,
      files: [file({ path: ISULAD.config, content: config })],
      restartIfNewer: [ISULAD.config],
    }),
  ];
}

const isuladImages: ImageStore = {
  runtime: 'isulad',
  has: (ref) => sh`[ -n "$(command -v isula)" ] && timeout 20 isula inspect -f '{{.image.id}}' ${ref} >/dev/null 2>&1`,
  load: (path) => sh`isula load -i ${path}`,
};
