/** Conformance specs to skip, by a part of their names, and the reason. */
export interface Skip {
  readonly specs: readonly string[];
  readonly why: string;
}

/** Specs that would disturb others, and specs that need something the lab does not have. */
export const SKIPS: readonly Skip[] = [
  {
    specs: ['[Serial]', '[Slow]', '[Disruptive]'],
    why: 'they need the cluster to themselves or take many minutes each',
  },
  { specs: ['Sample API Server'], why: 'the image sample-apiserver is not in the mirror' },
  { specs: ['Update Demo'], why: 'the images nautilus and kitten are not in the mirror' },
  { specs: ['ImageVolume'], why: 'the image kitten, mounted as a volume, is not in the mirror' },
  {
    specs: ['should be consumable via the environment', 'should be consumable as environment variable names'],
    why: "the shell of Debian's busybox does not pass on variables with a dash in the name",
  },
  { specs: ['should not allow privilege escalation when false'], why: 'the image nonewprivs is not in the mirror' },
];

/** The regular expression for --ginkgo.skip. */
export const skipExpression = (skips: readonly Skip[]) =>
  skips
    .flatMap(({ specs }) => specs)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|');
