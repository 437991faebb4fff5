import { CONTAINERD, containerdConfig, containerdRoot, containerdUnit } from '../../../template/containerd.ts';
import { fileTree } from '../../common/file-tree.ts';
import { file } from '../../common/file.ts';
import { NETWORK_NAMESPACES, ownedDirectory } from '../../common/owned-directory.ts';
import { configuredService } from '../../common/configured-service.ts';
import { unchangedDataDir } from '../shared/data-dir.ts';
import type { GenericStep, StepView } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import type { RuntimeSettings } from '../shared/settings.ts';
import { registryFiles, registryLogins } from './registries.ts';

export const runContainerd = (settings: RuntimeSettings): Step =>
  defineStep({
    name: 'containerd.run',
    summary: 'Configure and start containerd',
    reversible: true,
    parts: (view) => serviceParts(settings, view),
  });

function serviceParts(settings: RuntimeSettings, { facts }: StepView): readonly GenericStep[] {
  const { dataDir = CONTAINERD.root, registries, credentials } = settings;
  const restricted = facts.virtualization.type === 'container';
  const logins = registryLogins(registries, credentials);
  const config = containerdConfig({
    version: settings.version,
    root: dataDir,
    sandboxImage: settings.sandboxImage,
    certsFolder: CONTAINERD.certs,
    logins,
    restricted,
  });
  return [
    unchangedDataDir({ runtime: 'containerd', config: CONTAINERD.config, rootOf: containerdRoot, wanted: dataDir }),
    ownedDirectory({ path: dataDir, mode: 0o711 }),
    ownedDirectory({ path: CONTAINERD.state, mode: 0o711 }),
    // containerd always creates this directory for plugins.
    ownedDirectory({ path: '/opt/containerd', mode: 0o711 }),
    ownedDirectory({ path: '/run/nri', mode: 0o700 }),
    ownedDirectory({ path: NETWORK_NAMESPACES }),
    fileTree({ path: CONTAINERD.certs, files: registryFiles(registries, credentials) }),
    ...configuredService({
      unit: CONTAINERD.unit,
      files: [
        file({ path: CONTAINERD.config, content: config, mode: 0o600, secret: Object.keys(logins).length > 0 }),
        file({ path: CONTAINERD.unitFile, content: containerdUnit({ restricted }) }),
      ],
      restartIfNewer: [CONTAINERD.config, CONTAINERD.program],
    }),
  ];
}
