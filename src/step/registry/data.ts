import { join } from 'node:path/posix';
import { directory } from '../common/directory.ts';
import { ownedContent } from '../common/owned-content.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { REGISTRY } from './paths.ts';

/** Images have a place on the host that the registry can write to. Undone, images go that were not there before. */
export const registryData = (dataDir?: string): Step =>
  defineStep({
    name: 'registry.data',
    summary: 'Make room for images',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => (dataDir === undefined ? [] : roomAt(dataDir)),
  });

const roomAt = (dataDir: string): readonly GenericStep[] => [
  directory({ path: dataDir, mode: 0o750, owner }),
  // Only this is the registry's: what else somebody put beside it is not touched.
  ownedContent({ path: join(dataDir, 'docker'), mode: 0o750, owner, what: 'images' }),
];

const AN_HOUR = 3_600_000;
const owner = `${REGISTRY.user}:${REGISTRY.user}`;
