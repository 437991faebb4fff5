import type { PathState } from '../../runner/runner.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { Finding } from '../contract/part.ts';

/** What looking at a path found. */
export interface FoundFile {
  readonly state: PathState | undefined;
  readonly content: string | undefined;
}

/** What a file should be. */
export interface WantedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  readonly owner: string;
  /** Says only that the content differs, never how. */
  readonly secret?: boolean;
}

/** Done when the file is as wanted; else in which ways it is not, and how its content differs. */
export function fileFinding({ state, content: current }: FoundFile, wanted: WantedFile): Finding {
  const { path, content, secret = false } = wanted;
  const differences = pathDifferences(state, { type: 'file', mode: wanted.mode, owner: wanted.owner });
  if (current === content) return findingOf(differences);
  const diff = secret ? '' : unifiedDiff(path, current ?? '', content);
  return findingOf(current === undefined ? differences : [...differences, 'its content differs'], diff);
}
