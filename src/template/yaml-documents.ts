import { stringify } from 'yaml';

/** The text of a YAML file with one document per object. */
export const yamlDocuments = (documents: readonly object[]): string =>
  `# Written by kubexm.\n${documents.map((each) => stringify(each, STYLE)).join('---\n')}`;

// Kubernetes parses YAML 1.1, where unquoted yes, on and 12:30 are not strings. Lines are not folded, to keep diffs readable.
const STYLE = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
