import type { PathState } from '../../runner/runner.ts';
import type { Finding } from './step.ts';

/** How a path should be. */
export interface WantedPath {
  readonly type: PathState['type'];
  readonly mode?: number;
  /** "user:group" or "0:0" */
  readonly owner?: string;
}

/** In which ways a path is not as it should be, each as a few words; empty when all is well. */
export function pathDifferences(state: PathState | undefined, wanted: WantedPath): readonly string[] {
  if (state === undefined) return ['it does not exist'];
  if (state.type !== wanted.type) return [`it is ${NOUNS[state.type]}, not ${NOUNS[wanted.type]}`];
  const found: string[] = [];
  if (wanted.mode !== undefined && state.mode !== wanted.mode) {
    found.push(`its mode is ${octal(state.mode)}, not ${octal(wanted.mode)}`);
  }
  if (wanted.owner !== undefined && state.owner !== wanted.owner && state.ids !== wanted.owner) {
    found.push(`its owner is ${state.owner}, not ${wanted.owner}`);
  }
  return found;
}

/** Done when nothing differs; else why not, and how it looks as a diff. */
export function findingOf(differences: readonly string[], diff = ''): Finding {
  if (differences.length === 0) return DONE;
  return { done: false, because: differences.join(', '), ...(diff !== '' && { diff }) };
}

export const DONE: Finding = Object.freeze({ done: true });

const octal = (mode: number) => mode.toString(8).padStart(4, '0');

const NOUNS: Readonly<Record<PathState['type'], string>> = {
  file: 'a file',
  directory: 'a directory',
  symlink: 'a symlink',
  other: 'a device, socket or pipe',
};
