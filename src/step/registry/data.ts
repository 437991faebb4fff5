import { join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { directory } from '../common/directory.ts';
import { findingOf, pathDifferences } from '../difference.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';
import { REGISTRY } from './places.ts';

/** Images have a place on the host that the registry can write to. Undone, images go that were not there before. */
export const registryData = (dataDir: string): Step =>
  defineStep({
    name: 'registry.data',
    summary: 'Make room for images',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => [
      directory({ path: dataDir, mode: 0o750, owner: `${REGISTRY.user}:${REGISTRY.user}` }),
      ownedImages(dataDir),
    ],
  });

const AN_HOUR = 3_600_000;

/** The folder of images is there; those of an earlier registry belong to this one. */
function ownedImages(dataDir: string): GenericStep {
  // Only this is the registry's: what else somebody put beside it is not touched.
  const images = join(dataDir, 'docker');
  const owner = `${REGISTRY.user}:${REGISTRY.user}`;
  // The folder itself comes last, so that a look at it tells whether all below it is done.
  const give = (to: string) => sh`find ${images} -depth -exec chown -h ${to} {} +`;
  return Object.freeze<GenericStep>({
    summary: `own the images in ${images}`,
    state: `images in ${images}`,
    async precheck({ runner }) {
      return findingOf(pathDifferences(await runner.stat(images), { type: 'directory', owner }));
    },
    async remember({ runner }) {
      return { owner: (await runner.stat(images))?.ids ?? '' };
    },
    async run({ runner }) {
      if (await runner.stat(images)) await runner.run(give(owner));
      else await runner.run(sh`umask 027; mkdir -- ${images} && chown ${owner} ${images}`);
    },
    async rollback({ runner }, before) {
      const was = textOf(before, 'owner');
      if (was === '') await runner.run(sh`rm -rf -- ${images}`);
      else if (await runner.stat(images)) await runner.run(give(was));
    },
  });
}
