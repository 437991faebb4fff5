import type { FileItem } from '../../resource/item.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { cachedFile, type CachedFile } from './cached-file.ts';
import { installed } from '../common/installed.ts';
import { defineStep, type GenericStep, type Step, type StepView } from '../contract/step.ts';

/** The files that hosts get, and where they are found. */
export interface Programs {
  readonly files: readonly FileItem[];
  readonly artifacts: Cluster['artifacts'];
}

/** What is put on a host out of a release. */
export interface ProgramOptions {
  /** As the catalog calls it. */
  readonly name: string;
  /** NAME.install unless told. */
  readonly step?: string;
  readonly summary: string;
  readonly into: string;
  readonly wanted?: (member: string) => boolean;
  /** What belongs to it; comes first. */
  readonly beside?: readonly GenericStep[];
}

/** Programs of a release are on the host; without files it is only good for being undone. */
export function installProgram(programs: Programs | undefined, options: ProgramOptions): Step {
  const { name, step = `${name}.install`, summary, into, wanted, beside = [] } = options;
  const parts = (file: CachedFile) => [...beside, installed({ name, file, into, ...(wanted && { wanted }) })];
  const unknown = { title: name, find: () => Promise.resolve(undefined) };
  return defineStep({
    name: step,
    summary,
    timeoutMs: ONE_HOUR,
    reversible: true,
    parts: (view: StepView) => parts(programs ? cachedFile(programs, name, view) : unknown),
    everParts: () => parts(unknown),
  });
}

const ONE_HOUR = 3_600_000;
