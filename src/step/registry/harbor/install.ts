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

/** Fails if Docker does not run on the host; Harbor needs it. */
export const requireDocker: Step = defineStep({
  name: 'harbor.docker',
  summary: 'Check that Docker is running',
  parts: () => [
    Object.freeze<GenericStep>({
      key: 'check:docker',
      summary: 'check that Docker is running',
      precheck: async ({ runner }) =>
        (await runner.test(RUNS)) ? DONE : { done: false, because: 'Docker is not running' },
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

/** Unpacks the offline installer. */
export const installHarborFiles = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'harbor',
    summary: 'Unpack the Harbor installer',
    into: FOLDER,
    beside: [ownedDirectory({ path: FOLDER }), ownedDirectory({ path: HARBOR_LOG })],
  });

/** Creates the Harbor data directory. */
export const harborData = (dataDir?: string): Step =>
  defineStep({
    name: 'harbor.data',
    summary: 'Create the Harbor data directory',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => (dataDir === undefined ? [] : [ownedDirectory({ path: dataDir })]),
  });

/** Runs the installer with the current harbor.yml, which starts Harbor. */
export const runHarbor = (trivy: boolean, { folder }: Pick<Assets, 'folder'>): Step =>
  defineStep({
    name: 'harbor.run',
    summary: 'Run the Harbor installer',
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

/** Written by the installer, which must run again if this file is older than its inputs. */
const COMPOSE_FILE = `${FOLDER}/docker-compose.yml`;

const DOWN = sh`[ ! -e ${COMPOSE_FILE} ] || ${COMPOSE} -f ${COMPOSE_FILE} down -v --remove-orphans; rm -f -- ${COMPOSE_FILE}`;

function running(trivy: boolean): GenericStep {
  const inputs = [`${FOLDER}/harbor.yml`, `${FOLDER}/install.sh`, HARBOR.certificate];
  const newer = inputs.map((path) => sh`[ ${COMPOSE_FILE} -nt ${path} ]`.text).join(' && ');
  const up = sh`[ -n "$(${COMPOSE} -f ${COMPOSE_FILE} ps -q --status running 2>/dev/null)" ]`;
  const options = trivy ? '--with-trivy' : '';
  return command({
    key: 'harbor:installer',
    summary: `run ${FOLDER}/install.sh ${options}`.trimEnd(),
    formerly: ['harbor runs', `run ${FOLDER}/install.sh ${options}`.trimEnd()],
    check: { text: `${newer} && ${up.text}`, display: `${COMPOSE} -f ${COMPOSE_FILE} ps` },
    because: 'Harbor is not running with this configuration',
    // install.sh prints colors with tput, which needs TERM.
    run: {
      text: `cd ${FOLDER} && PATH=/usr/local/bin:$PATH TERM=dumb bash ./install.sh ${options}`,
      display: `${FOLDER}/install.sh ${options}`.trimEnd(),
    },
    undo: DOWN,
  });
}

/** Stops Harbor and removes its containers and volumes. */
export const restoreHarbor: Restore = async (ctx) => void (await ctx.runner.run(DOWN));
