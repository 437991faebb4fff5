import type { PathState } from '../../runner/runner.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { Finding } from '../contract/part.ts';

/** The current state of a path. */
export interface FoundFile {
  readonly state: PathState | undefined;
  readonly content: string | undefined;
}

/** The desired state of a file. */
export interface WantedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  readonly owner: string;
  /** Reports that the content differs, but no diff. */
  readonly secret?: boolean;
}

/** Compares a file with its desired state. */
export function fileFinding({ state, content: current }: FoundFile, wanted: WantedFile): Finding {
  const { path, content, secret = false } = wanted;
  const differences = pathDifferences(state, { type: 'file', mode: wanted.mode, owner: wanted.owner });
  if (current === content) return findingOf(differences);
  const diff = secret ? '' : unifiedDiff(path, current ?? '', content);
  return findingOf(current === undefined ? differences : [...differences, 'content differs'], diff);
}
