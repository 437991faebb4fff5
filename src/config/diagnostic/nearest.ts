/** Returns the most similar known word for "did you mean" suggestions, or undefined if none is similar enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.slice(0, MAX_LENGTH).toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = known
    .map((candidate) => ({
      candidate,
      distance: isPrefix(wanted, candidate) ? 1 : distanceOf(wanted, candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.candidate;
}

const MAX_LENGTH = 64;

/** Lets `arm` match arm64. Prefixes of one or two letters would match too many words. */
const isPrefix = (word: string, candidate: string) => word.length >= 3 && candidate.toLowerCase().startsWith(word);

/** Returns the Levenshtein distance, with a swap of adjacent letters counted as one edit. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : Infinity;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + change, swap));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
