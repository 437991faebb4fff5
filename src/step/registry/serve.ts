import type { Assets } from '../../resource/assets.ts';
import { certificatePath, keyPath } from '../../pki/store.ts';
import { registryConfig, type RegistryConfig } from '../../template/registry.ts';
import { GC_TIMER, GC_UNIT, READ_ONLY_UNIT, REGISTRY_UNIT, registryUnits } from '../../template/registry-units.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { pushName, pushPort, registryPort } from '../../config/model/own-registry.ts';
import { directory } from '../common/directory.ts';
import { file, type FileOptions } from '../common/file.ts';
import { restoreService, runningService } from '../common/running-service.ts';
import { uploadedLocalFile } from '../common/uploaded-local-file.ts';
import { configuredService } from '../common/configured-service.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, Restore } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { SERVER_CERTIFICATE, registryCertificates } from './certificates.ts';
import { usernameOf, usesPlainHttp } from './managed-registry.ts';
import { passwordFile } from './password-file.ts';
import { REGISTRY } from './paths.ts';

type DistributionRegistry = Extract<Cluster['registry'], { readonly type: 'registry' }>;

/** When a registry of an earlier version, which had no login, starts to require it. */
export type LoginStart = 'now' | 'when hosts have the password';

/** Runs the registry with its certificate and password file, and with weekly garbage collection. */
export const serveRegistry = (registry: DistributionRegistry, assets: Assets, login: LoginStart): Step => {
  const secrets = () => [
    ...(usesPlainHttp(registry) ? [] : certificateFiles(assets)),
    passwords(registry, usernameOf(registry), assets),
  ];
  return defineStep({
    name: 'registry.serve',
    summary: 'Configure and start the registry',
    reversible: true,
    parts: () => partsOf(registry, secrets(), login),
  });
};

const partsOf = (
  registry: DistributionRegistry,
  secrets: readonly GenericStep[],
  login: LoginStart,
): readonly GenericStep[] => [
  directory({ path: REGISTRY.folder, mode: 0o750, owner }),
  ...configuredService({
    unit: REGISTRY_UNIT,
    files: [...secrets, ...configFiles(registry, login), ...unitFiles(registry)],
    restartIfNewer: [REGISTRY.config, ...SHARED_FILES],
  }),
  ...(registry.anonymousPull
    ? [runningService({ unit: READ_ONLY_UNIT, restartIfNewer: [REGISTRY.readOnlyConfig, ...SHARED_FILES] })]
    : []),
  gcTimer,
];

const SHARED_FILES = [REGISTRY.program, REGISTRY.certificate, REGISTRY.key];

const owner = `root:${REGISTRY.user}`;

function certificateFiles({ folder }: Assets): readonly GenericStep[] {
  const certificates = registryCertificates(folder);
  return [
    uploadedLocalFile({ localPath: certificatePath(certificates, SERVER_CERTIFICATE), path: REGISTRY.certificate }),
    uploadedLocalFile({ localPath: keyPath(certificates, SERVER_CERTIFICATE), path: REGISTRY.key, mode: 0o640, owner }),
  ];
}

const passwords = (registry: DistributionRegistry, username: string, { credentials }: Assets): GenericStep =>
  passwordFile({
    path: REGISTRY.passwords,
    owner,
    username,
    password: credentials[pushName(registry)]?.password,
  });

function configFiles(registry: DistributionRegistry, login: LoginStart): readonly GenericStep[] {
  const { dataDir, anonymousPull } = registry;
  const [port, tls] = [registryPort(registry), !usesPlainHttp(registry)];
  const textOf = (options: Pick<RegistryConfig, 'port' | 'login' | 'readOnly'>) =>
    registryConfig({ dataDir, paths: REGISTRY, tls, ...options });
  const main = { path: REGISTRY.config, content: textOf({ port: pushPort(registry), login: true, readOnly: false }) };
  const readOnly = {
    path: REGISTRY.readOnlyConfig,
    content: textOf({ port, login: !anonymousPull, readOnly: true }),
  };
  if (anonymousPull || login === 'now') return [file(main), file(readOnly)];
  return [
    fileUnlessKept(main, textOf({ port, login: false, readOnly: false })),
    fileUnlessKept(readOnly, textOf({ port, login: false, readOnly: true })),
  ];
}

/** Keeps the configuration of an earlier version: hosts that do not have the password yet must be able to pull. */
function fileUnlessKept(options: FileOptions, kept: string): GenericStep {
  const part = file(options);
  return Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [finding, content] = await Promise.all([part.precheck(ctx), ctx.runner.read(options.path)]);
      return content === kept ? DONE : finding;
    },
  });
}

function unitFiles(registry: DistributionRegistry): readonly GenericStep[] {
  const { dataDir, anonymousPull } = registry;
  const units = registryUnits({ ...REGISTRY, dataDir, port: registryPort(registry), anonymousPull });
  return Object.entries(units).map(([name, content]) => file({ path: `/etc/systemd/system/${name}`, content }));
}

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
