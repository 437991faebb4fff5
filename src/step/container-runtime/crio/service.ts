import {
  CRIO,
  crioConfig,
  crioPolicy,
  crioRegistries,
  crioRoot,
  crioUnit,
  type CrioRegistry,
} from '../../../template/crio.ts';
import { registryLoginsFile } from '../../../template/registry-logins.ts';
import type { RegistryHost } from '../../../config/model/registry-hosts.ts';
import { fileTree } from '../../common/file-tree.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { configuredService } from '../../common/configured-service.ts';
import { unchangedDataDir } from '../shared/data-dir.ts';
import { certificateFiles, loginsByHost } from '../shared/registry-access.ts';
import type { RuntimeSettings } from '../shared/settings.ts';
import type { GenericStep, StepView } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

export const runCrio = (settings: RuntimeSettings): Step =>
  defineStep({
    name: 'cri-o.run',
    summary: 'Configure and start CRI-O',
    reversible: true,
    parts: (view) => crioParts(settings, view),
  });

function crioParts(settings: RuntimeSettings, { facts }: StepView): readonly GenericStep[] {
  const { dataDir: root = CRIO.root, sandboxImage, registries, credentials, fromPackages } = settings;
  const restricted = facts.virtualization.type === 'container';
  const logins = loginsByHost(registries, credentials);
  const config = crioConfig({ root, sandboxImage, bundled: !fromPackages });
  const files = [
    file({ path: CRIO.auth, content: registryLoginsFile(logins), mode: 0o600, secret: true }),
    file({ path: CRIO.policy, content: crioPolicy() }),
    file({ path: CRIO.registries, content: crioRegistries(registries.map(registryOf)) }),
    file({ path: CRIO.config, content: config }),
    ...(fromPackages ? [] : [file({ path: CRIO.unitFile, content: crioUnit({ restricted }) })]),
  ];
  return [
    unchangedDataDir({ runtime: 'cri-o', config: CRIO.config, rootOf: crioRoot, wanted: root }),
    ...[root, CRIO.state, '/var/lib/crio', '/run/crio', '/run/runc', '/var/lib/containers/cache'].map((path) =>
      ownedDirectory({ path, mode: 0o711 }),
    ),
    ...['/run/nri', ...NAMESPACES].map((path) => ownedDirectory({ path })),
    fileTree({ path: CRIO.certs, files: certificateFiles(registries, credentials) }),
    ...configuredService({ unit: CRIO.unit, files, restartIfNewer: [CRIO.config, CRIO.registries, CRIO.program] }),
  ];
}

/** Where CRI-O keeps the namespaces of pods. */
const NAMESPACES = ['ipc', 'net', 'pid', 'user', 'uts'].map((kind) => `/run/${kind}ns`);

/** An entry of registries.conf. */
const registryOf = ({ host, skipVerify, plainHttp, mirrors }: RegistryHost): CrioRegistry => ({
  prefix: host,
  location: host,
  insecure: skipVerify || plainHttp,
  mirrors: mirrors.map((mirror) => ({
    location: mirror.path === '' ? mirror.host : `${mirror.host}/${mirror.path}`,
    insecure: mirror.skipVerify || mirror.plainHttp,
  })),
});
