/** The words of lists on a command line: "a,b" and "c" are a, b and c. */
export const wordsOf = (lists: readonly string[]): readonly string[] =>
  lists
    .flatMap((list) => list.split(','))
    .map((word) => word.trim())
    .filter(Boolean);
