export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export function toVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.replace(/^v/, '').split(/[.-]/).map(Number);
  return { major, minor, patch };
}

export const minorOf = (text: string) => toVersion(text).minor;

/** Negative if `one` is older, for sorting. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [toVersion(one), toVersion(other)];
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}
