import { existsSync, readFileSync } from 'node:fs';

/** A change of the sources that breaks a promise, and the tests that must notice it. */
export interface Mutant {
  readonly id: string;
  readonly area: string;
  /** What is wrong with the mutant. */
  readonly what: string;
  readonly file: string;
  /** The text to replace; it occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
  /** Why no test can notice the mutant. */
  readonly equivalent?: string;
}

export const readMutants = (): readonly Mutant[] => JSON.parse(readFileSync('test/mutants/mutants.json', 'utf8'));

/** What prevents the mutant from being tested: the sources or tests have changed since it was written. */
export function mutantProblems({ id, file, find, replace, tests }: Mutant): readonly string[] {
  const found = existsSync(file) ? readFileSync(file, 'utf8').split(find).length - 1 : 0;
  return [
    ...(found === 1 ? [] : [`${id}: its text occurs ${found} times in ${file}, expected once`]),
    ...(find === replace ? [`${id}: it changes nothing`] : []),
    ...(tests.length === 0 ? [`${id}: it has no tests`] : []),
    ...tests.filter((test) => !existsSync(test)).map((test) => `${id}: there is no ${test}`),
  ];
}
