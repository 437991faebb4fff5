/** Finds secret words in text. */
export interface SecretMatcher {
  add(word: string): void;
  /** Replaces every word that was added. Overlapping words are replaced together. */
  replace(text: string, replacement: string): string;
}

/**
 * Creates a matcher whose search time does not depend on the number of words and that can add words cheaply: it groups
 * words by their first characters and then by length. Words must have at least `PREFIX` characters.
 */
export function createSecretMatcher(): SecretMatcher {
  const groups = new Map<string, WordGroup>();
  // Excludes most positions in a text without a string lookup.
  const starts = new Uint8Array(FILTER_SIZE);
  return Object.freeze({
    add(word: string) {
      const prefix = word.slice(0, PREFIX);
      const group = groups.get(prefix) ?? { lengths: [], words: new Set<string>() };
      groups.set(prefix, group);
      group.words.add(word);
      if (!group.lengths.includes(word.length)) group.lengths = [...group.lengths, word.length].sort((a, b) => b - a);
      starts[hash(word, 0)] = 1;
    },
    replace(text: string, replacement: string) {
      let result = '';
      let end = 0;
      for (let at = 0; at + PREFIX <= text.length; at++) {
        if (starts[hash(text, at)] === 0) continue;
        const length = longestMatch(groups.get(text.slice(at, at + PREFIX)), text, at);
        if (length === 0) continue;
        if (at >= end) result += text.slice(end, at) + replacement;
        end = Math.max(end, at + length);
      }
      return end === 0 ? text : result + text.slice(end);
    },
  });
}

interface WordGroup {
  /**
   * The distinct word lengths, longest first. There are few, because most words are passwords, tokens or lines of keys.
   */
  lengths: readonly number[];
  readonly words: Set<string>;
}

const longestMatch = (group: WordGroup | undefined, text: string, at: number): number =>
  group?.lengths.find((length) => group.words.has(text.slice(at, at + length))) ?? 0;

function hash(text: string, at: number): number {
  let value = 0;
  for (let offset = 0; offset < PREFIX; offset++) value = (Math.imul(value, 31) + text.charCodeAt(at + offset)) | 0;
  return (value ^ (value >>> 16)) & (FILTER_SIZE - 1);
}

/** Number of leading characters that words are grouped by. */
export const PREFIX = 4;
const FILTER_SIZE = 1 << 16;
