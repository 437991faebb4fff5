import { expect, it } from 'vitest';
import { mutantProblems, readMutants } from '../mutants/mutants.ts';

const mutants = readMutants();

it('lists mutants whose source text and tests exist', () => {
  expect(mutants.flatMap(mutantProblems)).toEqual([]);
});

it('lists each mutant once', () => {
  const ids = mutants.map(({ id }) => id);
  expect([...new Set(ids)]).toEqual(ids);
});
