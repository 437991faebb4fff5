import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assets } from '../../../resource/assets.ts';
import type { Registry } from '../../../config/model/cluster.ts';
import { harborConfig } from '../../../template/harbor.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';
import { findingOf } from '../../contract/finding.ts';
import { registryPort } from '../../../config/model/own-registry.ts';
import { ensurePassword, savedPassword } from '../saved-password.ts';
import { harborFolder, passwordPath } from './passwords.ts';
import { HARBOR } from '../paths.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

type HarborRegistry = Extract<Registry, { readonly type: 'harbor' }>;

/** The local path of harbor.yml, from where it is uploaded. */
export const harborFile = (folder: string) => join(harborFolder(folder), 'harbor.yml');

/** Creates harbor.yml on this machine, with passwords that are generated once. */
export const configureHarbor = (registry: HarborRegistry, assets: Assets): Step =>
  defineStep({
    name: 'harbor.configure',
    summary: 'Write harbor.yml',
    parts: () => [harborYml(registry, assets)],
  });

function harborYml(registry: HarborRegistry, { files, folder, credentials }: Assets): GenericStep {
  const path = harborFile(folder);
  const configured = credentials[registry.name]?.password;
  const text = (admin: string, database: string) =>
    harborConfig({
      version: files.find(({ name }) => name === 'harbor')?.version ?? registry.version ?? '',
      hostname: registry.name.split(':')[0] ?? registry.name,
      port: registryPort(registry),
      certificate: HARBOR.certificate,
      key: HARBOR.key,
      adminPassword: admin,
      databasePassword: database,
      dataDir: registry.dataDir,
    });
  return Object.freeze<GenericStep>({
    key: 'local-file:harbor.yml',
    summary: `write ${path}`,
    async precheck() {
      const [admin = configured, database, found] = await Promise.all([
        configured ?? savedPassword(passwordPath(folder, 'admin')),
        savedPassword(passwordPath(folder, 'database')),
        readFile(path, 'utf8').catch(() => undefined),
      ]);
      if (admin === undefined || database === undefined) return findingOf(['passwords are not generated yet']);
      return findingOf(found === text(admin.reveal(), database.reveal()) ? [] : ['differs']);
    },
    async run(ctx) {
      const admin = configured ?? (await ensurePassword(passwordPath(folder, 'admin')));
      const database = await ensurePassword(passwordPath(folder, 'database'));
      await ensureFolder(harborFolder(folder), 0o700);
      await writeFileAtomically(path, text(admin.reveal(), database.reveal()), 0o600);
      if (configured === undefined) ctx.say(`admin password saved in ${harborFolder(folder)}/admin-password`);
    },
  });
}
