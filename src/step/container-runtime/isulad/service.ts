import { ISULAD, isuladConfig } from '../../../template/isulad.ts';
import { configuredService } from '../../common/configured-service.ts';
import { fileTree } from '../../common/file-tree.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { unchangedDataDir, rootInJson } from '../shared/data-dir.ts';
import { kubeletLogins } from '../shared/kubelet-logins.ts';
import { certificateFiles } from '../shared/registry-access.ts';
import { hubMirrors, insecureHosts, type RuntimeSettings } from '../shared/settings.ts';

export const runIsulad = (settings: RuntimeSettings): Step =>
  defineStep({
    name: 'isulad.run',
    summary: 'Configure and start iSulad',
    reversible: true,
    parts: () => isuladParts(settings),
  });

/** Marks that kubexm wrote the configuration, because JSON has no comments. */
export const MARKER = '/etc/isulad/.kubexm';

function isuladParts(settings: RuntimeSettings): readonly GenericStep[] {
  const { dataDir: root = ISULAD.root, sandboxImage, registries, credentials } = settings;
  const config = isuladConfig({ root, sandboxImage, mirrors: hubMirrors(settings), insecure: insecureHosts(settings) });
  return [
    unchangedDataDir({ runtime: 'isulad', config: ISULAD.config, rootOf: rootInJson('graph'), wanted: root }),
    // /var/run is a symlink to /run, and mounts are listed below /run.
    ...[root, ISULAD.state.replace(/^\/var/, '')].map((path) => ownedDirectory({ path, mode: 0o711 })),
    fileTree({ path: ISULAD.certs, files: certificateFiles(registries, credentials) }),
    file({ path: MARKER, content: '# Written by kubexm.\n' }),
    ...kubeletLogins(settings),
    ...configuredService({
      unit: ISULAD.unit,
      files: [file({ path: ISULAD.config, content: config })],
      restartIfNewer: [ISULAD.config],
    }),
  ];
}
