import type { Assets } from '../../../resource/assets.ts';
import { fail } from '../../../common/errors/errors.ts';
import { certificatePath, keyPath } from '../../../pki/store.ts';
import { sh } from '../../../runner/command.ts';
import { HARBOR_LOG } from '../../../template/harbor.ts';
import { command } from '../../common/command.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { uploadedLocalFile } from '../../common/uploaded-local-file.ts';
import { DONE } from '../../contract/finding.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { SERVER_CERTIFICATE, registryCertificates } from '../certificates.ts';
import { HARBOR } from '../paths.ts';
import type { GenericStep, Restore } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { harborFile } from './config.ts';

const FOLDER = HARBOR.folder;
const COMPOSE = '/usr/local/bin/docker-compose';

/** Harbor consists of containers of docker, which must be there already. */
export const requireDocker: Step = defineStep({
  name: 'harbor.docker',
  summary: 'See whether docker runs',
  parts: () => [
    Object.freeze<GenericStep>({
      key: 'check:docker',
      summary: 'find docker',
      precheck: async ({ runner }) =>
        (await runner.test(RUNS)) ? DONE : { done: false, because: 'docker does not answer' },
      run: async ({ runner, host }) => {
        if (!(await runner.test(RUNS))) throw fail('DOCKER_MISSING', { host: host.name, what: 'harbor' });
      },
    }),
  ],
});

const RUNS = sh`[ -n "$(command -v docker)" ] && timeout 20 docker info >/dev/null 2>&1`;

export const installCompose = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'docker-compose',
    summary: 'Install docker-compose',
    into: '/usr/local/bin',
  });

/** All of the offline installer stands in one folder. */
export const installHarborFiles = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'harbor',
    summary: 'Unpack the installer of harbor',
    into: FOLDER,
    beside: [ownedDirectory({ path: FOLDER }), ownedDirectory({ path: HARBOR_LOG })],
  });

/** What people put into harbor. */
export const harborData = (dataDir?: string): Step =>
  defineStep({
    name: 'harbor.data',
    summary: 'Make room for images',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => (dataDir === undefined ? [] : [ownedDirectory({ path: dataDir })]),
  });

/** The installer has run with the settings as they are, and what it started runs. */
export const runHarbor = (trivy: boolean, { folder }: Pick<Assets, 'folder'>): Step =>
  defineStep({
    name: 'harbor.run',
    summary: 'Run the installer of harbor',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => {
      const certificates = registryCertificates(folder);
      return [
        uploadedLocalFile({ localPath: certificatePath(certificates, SERVER_CERTIFICATE), path: HARBOR.certificate }),
        uploadedLocalFile({ localPath: keyPath(certificates, SERVER_CERTIFICATE), path: HARBOR.key, mode: 0o600 }),
        uploadedLocalFile({ localPath: harborFile(folder), path: `${FOLDER}/harbor.yml`, mode: 0o600 }),
        running(trivy),
      ];
    },
  });

const AN_HOUR = 3_600_000;

/** It writes docker-compose.yml: one that is older than what it is made from says that it is to run again. */
const MADE = `${FOLDER}/docker-compose.yml`;

const DOWN = sh`[ ! -e ${MADE} ] || ${COMPOSE} -f ${MADE} down -v --remove-orphans; rm -f -- ${MADE}`;

function running(trivy: boolean): GenericStep {
  const made = MADE;
  const inputs = [`${FOLDER}/harbor.yml`, `${FOLDER}/install.sh`, HARBOR.certificate];
  const newer = inputs.map((path) => sh`[ ${made} -nt ${path} ]`.text).join(' && ');
  const up = sh`[ -n "$(${COMPOSE} -f ${made} ps -q --status running 2>/dev/null)" ]`;
  const options = trivy ? '--with-trivy' : '';
  return command({
    key: 'harbor:installer',
    summary: `run ${FOLDER}/install.sh ${options}`.trimEnd(),
    formerly: ['harbor runs', `run ${FOLDER}/install.sh ${options}`.trimEnd()],
    check: { text: `${newer} && ${up.text}`, display: `${COMPOSE} -f ${made} ps` },
    because: 'harbor does not run with these settings',
    // Its script wants to color what it says.
    run: {
      text: `cd ${FOLDER} && PATH=/usr/local/bin:$PATH TERM=dumb bash ./install.sh ${options}`,
      display: `${FOLDER}/install.sh ${options}`.trimEnd(),
    },
    undo: DOWN,
  });
}

/** Stops harbor and removes its containers and volumes. */
export const restoreHarbor: Restore = async (ctx) => void (await ctx.runner.run(DOWN));
