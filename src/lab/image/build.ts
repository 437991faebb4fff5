import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReportProgress } from '../../common/progress.ts';
import { withMachineLock } from '../../util/process-lock.ts';
import { podman, podmanArgv, tryPodman } from '../podman.ts';
import { quote } from '../../connector/quote.ts';
import { run } from '../run.ts';
import { findAptMirror } from './apt-mirror.ts';
import { IMAGE_REPOSITORY, imageOf, recipeFor, type Recipe } from './recipe.ts';

/** Builds the machine image unless it is cached, and resolves with its name. */
export async function ensureImage(report: ReportProgress, signal?: AbortSignal): Promise<string> {
  const recipe = recipeFor(await findAptMirror());
  const image = imageOf(recipe);
  if (await isCached(image)) return image;
  const onWait = (holder: string) => report({ task: TASK, detail: `waiting for ${holder}, which builds it` });
  await withMachineLock('lab-image', () => buildUnlessCached(recipe, image, report, signal), { onWait, signal });
  return image;
}

/** Whether the machine image is cached. Requires podman. */
export const imageIsCached = async () => isCached(imageOf(recipeFor(await findAptMirror())));

const TASK = 'Building the machine image (first run only)';

// Next to podman's image store: that file system has room for an image and is not mounted nodev or noexec.
const TREE = '/var/lib/containers/kubexm-lab-image';

const isCached = async (image: string) => (await tryPodman(['image', 'exists', image])).exit === 0;

async function buildUnlessCached(
  recipe: Recipe,
  image: string,
  report: ReportProgress,
  signal?: AbortSignal,
): Promise<void> {
  if (await isCached(image)) return;
  const reportDetail = (detail: string) => report({ task: TASK, detail });
  const options = signal ? { signal } : {};
  await rm(TREE, { recursive: true, force: true });
  try {
    await mkdir(TREE, { recursive: true });
    await run(debootstrap(recipe), {
      ...options,
      onLine: (line) => reportDetail(line.replace(/^[IW]: /, '').toLowerCase()),
    });
    await addFiles(recipe);
    reportDetail('importing');
    await run(['bash', '-o', 'pipefail', '-c', importCommand(image)], options);
    await removeOldImages(image);
  } finally {
    await rm(TREE, { recursive: true, force: true });
  }
}

// Runs in its own mount and PID namespace, so mounts and processes disappear with it even if it is killed.
const debootstrap = ({ packages, suite, mirror }: Recipe) =>
  [
    ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ['debootstrap', '--variant=minbase', `--include=${packages.join(',')}`, suite, TREE, mirror.debian],
  ].flat();

async function addFiles({ files, masked }: Recipe): Promise<void> {
  for (const [path, { text, mode }] of Object.entries(files)) {
    const target = join(TREE, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    await chmod(target, mode);
  }
  for (const unit of masked) {
    const link = join(TREE, 'etc/systemd/system', unit);
    await rm(link, { force: true });
    await symlink('/dev/null', link);
  }
}

// `podman import` tags the image only after a complete import, so the name never refers to a partial image.
function importCommand(image: string): string {
  const excluded = [
    './var/cache/apt/*.bin',
    './var/cache/apt/archives/*.deb',
    './var/lib/apt/lists/*_*',
    './var/log/*.log',
  ]
    .concat('./etc/ssh/ssh_host_*', './var/lib/dbus/machine-id', './dev/*', './proc/*', './sys/*')
    .map((pattern) => `--exclude=${quote(pattern)}`);
  const archive = ['tar', '-C', quote(TREE), ...excluded, '--numeric-owner', '-cf', '-', '.'].join(' ');
  const podmanImport = podmanArgv(['import', '--quiet', '--change', 'LABEL kubexm.lab.image=machine', '-', image]);
  return `${archive} | ${podmanImport.map(quote).join(' ')}`;
}

/** Removes images of older recipes, except those in use. */
async function removeOldImages(image: string): Promise<void> {
  const list = ['images', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${IMAGE_REPOSITORY}`];
  const old = (await podman(list)).split('\n').filter((name) => name !== '' && name !== image);
  for (const name of old) await tryPodman(['rmi', name]);
}
