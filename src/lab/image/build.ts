import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReportProgress } from '../../common/progress.ts';
import { withLock } from '../../util/lock.ts';
import { podman, podmanArgv, tryPodman } from '../podman.ts';
import { quote } from '../../connector/quote.ts';
import { run } from '../run.ts';
import { findMirror } from './apt-mirror.ts';
import { IMAGE_REPOSITORY, imageOf, recipeFor, type Recipe } from './recipe.ts';

/** Builds the machine image unless it is cached, and resolves with its name. */
export async function ensureImage(report: ReportProgress, signal?: AbortSignal): Promise<string> {
  const recipe = recipeFor(await findMirror());
  const image = imageOf(recipe);
  if (await isCached(image)) return image;
  const onWait = () => report({ task: TASK, detail: 'another kubexm builds it, waiting' });
  await withLock('lab-image', () => buildUnlessCached(recipe, image, report, signal), { onWait, signal });
  return image;
}

/** Looks whether the image is there; podman must be. */
export const imageIsCached = async () => isCached(imageOf(recipeFor(await findMirror())));

const TASK = 'Building the machine image, once';

// Where podman keeps images there is room for one more, and devices and programs are allowed.
const TREE = '/var/lib/containers/kubexm-lab-image';

const isCached = async (image: string) => (await tryPodman(['image', 'exists', image])).exit === 0;

async function buildUnlessCached(
  recipe: Recipe,
  image: string,
  report: ReportProgress,
  signal?: AbortSignal,
): Promise<void> {
  if (await isCached(image)) return;
  const say = (detail: string) => report({ task: TASK, detail });
  const options = signal ? { signal } : {};
  await rm(TREE, { recursive: true, force: true });
  try {
    await mkdir(TREE, { recursive: true });
    await run(debootstrap(recipe), { ...options, onLine: (line) => say(line.replace(/^[IW]: /, '').toLowerCase()) });
    await addFiles(recipe);
    say('importing');
    await run(['bash', '-o', 'pipefail', '-c', importing(image)], options);
    await removeOldImages(image);
  } finally {
    await rm(TREE, { recursive: true, force: true });
  }
}

// In namespaces of its own: what it mounts and starts is gone with it, however it ends.
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

// One tag at the end of one command: there is never half an image under this name.
function importing(image: string): string {
  const leaveOut = [
    './var/cache/apt/*.bin',
    './var/cache/apt/archives/*.deb',
    './var/lib/apt/lists/*_*',
    './var/log/*.log',
  ]
    .concat('./etc/ssh/ssh_host_*', './var/lib/dbus/machine-id', './dev/*', './proc/*', './sys/*')
    .map((pattern) => `--exclude=${quote(pattern)}`);
  const archive = ['tar', '-C', quote(TREE), ...leaveOut, '--numeric-owner', '-cf', '-', '.'].join(' ');
  const take = podmanArgv(['import', '--quiet', '--change', 'LABEL kubexm.lab.image=machine', '-', image]);
  return `${archive} | ${take.map(quote).join(' ')}`;
}

/** Images of older recipes, unless a machine still runs on one. */
async function removeOldImages(image: string): Promise<void> {
  const list = ['images', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${IMAGE_REPOSITORY}`];
  const old = (await podman(list)).split('\n').filter((name) => name !== '' && name !== image);
  for (const name of old) await tryPodman(['rmi', name]);
}
