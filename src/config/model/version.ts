import coerce from 'semver/functions/coerce.js';
import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Returns the numbers of a version. Missing numbers are 0, as in "3.28". */
export function toVersion(text: string): Version {
  const { major, minor, patch } = coerce(text) ?? { major: 0, minor: 0, patch: 0 };
  return { major, minor, patch };
}

export const minorOf = (text: string) => toVersion(text).minor;

/**
 * Compares versions for sorting; negative if `one` is older. A pre-release is older than its release: 1.37.0-rc.1 <
 * 1.37.0.
 */
export const compareVersions = (one: string, other: string): number => compare(comparable(one), comparable(other));

/** Compares kernel versions. Their suffix is a build number, not a pre-release: 5.13.0-28-amd64. */
export const compareKernels = (one: string, other: string): number => compare(numbersOf(one), numbersOf(other));

const comparable = (text: string) => parse(text)?.version ?? numbersOf(text);

function numbersOf(text: string): string {
  const { major, minor, patch } = toVersion(text);
  return `${major}.${minor}.${patch}`;
}
