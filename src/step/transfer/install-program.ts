import type { Assets } from '../../resource/assets.ts';
import { cachedFile } from './cached-file.ts';
import { installed } from './installed.ts';
import type { GenericStep, StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** How the programs of a release are installed. */
export interface ProgramOptions {
  /** The name of the file in the catalog. */
  readonly name: string;
  /** The name of the step; NAME.install by default. */
  readonly step?: string;
  readonly summary: string;
  readonly into: string;
  /** Selects members of the archive; all by default. */
  readonly wanted?: (member: string) => boolean;
  /** Parts that run before the programs are installed. */
  readonly beside?: readonly GenericStep[] | ((view: StepView) => readonly GenericStep[]);
}

/** Installs the programs of a release on the host. */
export function installProgram(assets: Assets, options: ProgramOptions): Step {
  const { name, step = `${name}.install`, summary, into, wanted, beside = [] } = options;
  return defineStep({
    name: step,
    summary,
    timeoutMs: ONE_HOUR,
    reversible: true,
    parts: (view) => [
      ...(typeof beside === 'function' ? beside(view) : beside),
      installed({ name, file: cachedFile(assets, name, view), into, ...(wanted && { wanted }) }),
    ],
  });
}

const ONE_HOUR = 3_600_000;
