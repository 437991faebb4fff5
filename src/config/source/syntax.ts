import type { Place, Tree } from './tree.ts';

/** Something that keeps the text from being read as one YAML document. */
export interface SyntaxFinding {
  readonly type: 'syntax' | 'second-document';
  readonly place: Place;
  readonly message: string;
}

/** The text as a tree, as far as it could be read, and what is wrong with its form. */
export interface Parsed {
  readonly tree: Tree | undefined;
  readonly findings: readonly SyntaxFinding[];
}

/** A fault in the form of the text. */
export const syntax = (place: Place, message: string): SyntaxFinding => ({ type: 'syntax', place, message });
