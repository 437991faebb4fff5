import {
  criDockerSocket,
  criDockerUnit,
  DOCKER,
  dockerConfig,
  dockerLimits,
  dockerUnit,
} from '../../../template/docker.ts';
import { fileTree } from '../../common/file-tree.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { runningService } from '../../common/running-service.ts';
import { configuredService } from '../../common/configured-service.ts';
import { kubeletLogins } from '../shared/kubelet-logins.ts';
import { unchangedDataDir, rootInJson } from '../shared/data-dir.ts';
import { certificateFiles } from '../shared/registry-access.ts';
import { hubMirrors, insecureHosts, type RuntimeSettings } from '../shared/settings.ts';
import type { GenericStep, StepView } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

export const runDocker = (settings: RuntimeSettings): Step =>
  defineStep({
    name: 'docker.run',
    summary: 'Configure and start Docker',
    reversible: true,
    parts: (view) => dockerParts(settings, view, kubeletLogins(settings)),
  });

function dockerParts(
  settings: RuntimeSettings,
  { facts }: StepView,
  logins: readonly GenericStep[],
): readonly GenericStep[] {
  const { dataDir: root = DOCKER.root, fromPackages, registries, credentials } = settings;
  const restricted = facts.virtualization.type === 'container';
  const config = dockerConfig({ root, mirrors: hubMirrors(settings), insecure: insecureHosts(settings) });
  const files = [
    file({ path: DOCKER.config, content: config }),
    file({ path: DOCKER.dropIn, content: dockerLimits({ restricted }) }),
    ...(fromPackages ? [] : [file({ path: DOCKER.unitFile, content: dockerUnit() })]),
  ];
  return [
    unchangedDataDir({
      runtime: 'docker',
      config: DOCKER.config,
      rootOf: rootInJson('data-root'),
      wanted: root,
    }),
    ownedDirectory({ path: root, mode: 0o710 }),
    fileTree({ path: DOCKER.certs, files: certificateFiles(registries, credentials) }),
    ...logins,
    ...configuredService({
      unit: DOCKER.unit,
      files,
      restartIfNewer: [DOCKER.config, DOCKER.dropIn, ...(fromPackages ? [] : [DOCKER.program])],
    }),
  ];
}

export const runCriDockerd = (sandboxImage: string): Step =>
  defineStep({
    name: 'cri-dockerd.run',
    summary: 'Configure and start cri-dockerd',
    reversible: true,
    parts: () => [
      ownedDirectory({ path: DOCKER.criState }),
      ...configuredService({
        unit: DOCKER.criUnit,
        // The two units refer to each other.
        files: [
          file({ path: DOCKER.criSocketFile, content: criDockerSocket() }),
          file({ path: DOCKER.criUnitFile, content: criDockerUnit(sandboxImage) }),
        ],
        restartIfNewer: [DOCKER.criProgram],
      }),
      runningService({ unit: DOCKER.criSocketUnit }),
    ],
  });
