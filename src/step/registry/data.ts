import { join } from 'node:path/posix';
import { directory } from '../common/directory.ts';
import { ownedContent } from '../common/owned-content.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { REGISTRY } from './paths.ts';

/** Creates the data directory, writable for the registry. Undo removes images that did not exist before. */
export const registryData = (dataDir?: string): Step =>
  defineStep({
    name: 'registry.data',
    summary: 'Create the registry data directory',
    timeoutMs: AN_HOUR,
    reversible: true,
    parts: () => (dataDir === undefined ? [] : dataParts(dataDir)),
  });

const dataParts = (dataDir: string): readonly GenericStep[] => [
  directory({ path: dataDir, mode: 0o750, owner }),
  // Only this subdirectory belongs to the registry.
  ownedContent({ path: join(dataDir, 'docker'), mode: 0o750, owner, what: 'images' }),
];

const AN_HOUR = 3_600_000;
const owner = `${REGISTRY.user}:${REGISTRY.user}`;
