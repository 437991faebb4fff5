import type { Assets } from '../../resource/assets.ts';
import { certificatePath, keyPath } from '../../pki/store.ts';
import { registryConfig } from '../../template/registry.ts';
import { GC_TIMER, GC_UNIT, READ_ONLY_UNIT, REGISTRY_UNIT, registryUnits } from '../../template/registry-units.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { directory } from '../common/directory.ts';
import { file } from '../common/file.ts';
import { restoreService, runningService } from '../common/running-service.ts';
import { uploadedLocalFile } from '../common/uploaded-local-file.ts';
import { configuredService } from '../common/configured-service.ts';
import type { GenericStep, Restore } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { SERVER_CERTIFICATE, registryCertificates } from './certificates.ts';
import { usesPlainHttp, portOf, usernameOf } from './managed-registry.ts';
import { passwordFile } from './password-file.ts';
import { REGISTRY } from './paths.ts';

type DistributionRegistry = Extract<Cluster['registry'], { readonly type: 'registry' }>;

/** Runs the registry with its certificate and password file, and with weekly garbage collection. */
export const serveRegistry = (registry: DistributionRegistry, assets: Assets): Step => {
  const plain = usesPlainHttp(registry);
  const username = usernameOf(registry);
  return defineStep({
    name: 'registry.serve',
    summary: 'Configure and start the registry',
    reversible: true,
    parts: () =>
      partsOf(registry, [
        ...(plain ? [] : certificateFiles(assets)),
        ...(username === undefined ? [] : [passwords(registry, username, assets)]),
      ]),
  });
};

const partsOf = (registry: DistributionRegistry, secrets: readonly GenericStep[]): readonly GenericStep[] => [
  directory({ path: REGISTRY.folder, mode: 0o750, owner }),
  ...configuredService({
    unit: REGISTRY_UNIT,
    files: [...secrets, ...configFiles(registry), ...unitFiles(registry)],
    restartIfNewer: [REGISTRY.program, REGISTRY.config, REGISTRY.certificate, REGISTRY.key],
  }),
  gcTimer,
];

const owner = `root:${REGISTRY.user}`;

function certificateFiles({ folder }: Assets): readonly GenericStep[] {
  const certificates = registryCertificates(folder);
  return [
    uploadedLocalFile({ localPath: certificatePath(certificates, SERVER_CERTIFICATE), path: REGISTRY.certificate }),
    uploadedLocalFile({ localPath: keyPath(certificates, SERVER_CERTIFICATE), path: REGISTRY.key, mode: 0o640, owner }),
  ];
}

const passwords = ({ name }: DistributionRegistry, username: string, { credentials }: Assets): GenericStep =>
  passwordFile({
    path: REGISTRY.passwords,
    owner,
    username,
    password: credentials[name]?.password,
  });

function configFiles(registry: DistributionRegistry): readonly GenericStep[] {
  const config = {
    port: portOf(registry),
    dataDir: registry.dataDir,
    paths: REGISTRY,
    tls: !usesPlainHttp(registry),
    login: usernameOf(registry) !== undefined,
  };
  return [
    file({ path: REGISTRY.config, content: registryConfig({ ...config, readOnly: false }) }),
    file({ path: REGISTRY.readOnlyConfig, content: registryConfig({ ...config, readOnly: true }) }),
  ];
}

const unitFiles = (registry: DistributionRegistry): readonly GenericStep[] =>
  Object.entries(registryUnits({ ...REGISTRY, dataDir: registry.dataDir, port: portOf(registry) })).map(
    ([name, content]) => file({ path: `/etc/systemd/system/${name}`, content }),
  );

const timer = runningService({ unit: GC_TIMER });

/** The garbage collection timer. Undo also stops a running collection. */
const gcTimer: GenericStep = Object.freeze<GenericStep>({
  ...timer,
  key: `registry-timer:${GC_TIMER}`,
  rollback: (ctx, before) => restoreRegistryTimer(ctx, GC_TIMER, before),
});

/** Restores the timer and stops a running garbage collection. */
export const restoreRegistryTimer: Restore = async (ctx, unit, before) => {
  await restoreService(ctx, unit, before);
  for (const unit of [GC_UNIT, READ_ONLY_UNIT]) {
    if (!(await ctx.runner.services.state(unit)).status.startsWith('inactive')) await ctx.runner.services.stop(unit);
  }
};
