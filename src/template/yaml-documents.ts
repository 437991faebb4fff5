import { stringify } from 'yaml';

/** Typed objects as the documents of one YAML file that we write. */
export const yamlDocuments = (documents: readonly object[]): string =>
  `# Written by kubexm.\n${documents.map((each) => stringify(each, STYLE)).join('---\n')}`;

// Kubernetes reads YAML 1.1, where yes, on and 12:30 are no texts unless they are quoted. A line that is folded reads well and compares badly.
const STYLE = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
