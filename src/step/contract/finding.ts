import type { PathState } from '../../runner/runner.ts';
import type { Finding } from './part.ts';

/** The desired type, mode and owner of a path. */
export interface WantedPath {
  readonly type: PathState['type'];
  readonly mode?: number;
  /** "user:group" or "0:0" */
  readonly owner?: string;
}

/** Lists how a path differs from the desired state; empty if it does not. */
export function pathDifferences(state: PathState | undefined, wanted: WantedPath): readonly string[] {
  if (state === undefined) return ['does not exist'];
  if (state.type !== wanted.type) return [`is ${NOUNS[state.type]}, want ${NOUNS[wanted.type]}`];
  const found: string[] = [];
  if (wanted.mode !== undefined && state.mode !== wanted.mode) {
    found.push(`mode is ${octal(state.mode)}, want ${octal(wanted.mode)}`);
  }
  if (wanted.owner !== undefined && state.owner !== wanted.owner && state.ids !== wanted.owner) {
    found.push(`owner is ${state.owner}, want ${wanted.owner}`);
  }
  return found;
}

/** Done if there are no differences; otherwise the differences, with an optional diff. */
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
