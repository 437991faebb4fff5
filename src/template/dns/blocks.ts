/** A block of a Corefile. */
export interface Block {
  readonly head: string;
  readonly lines: readonly (string | Block)[];
}

export const block = (head: string, lines: readonly (string | Block)[]): Block => ({ head, lines });

/** The text of a Corefile. */
export const printBlocks = (blocks: readonly Block[]): string =>
  `${blocks.map((each) => print(each, '').join('\n')).join('\n')}\n`;

const print = ({ head, lines }: Block, indent: string): readonly string[] => [
  `${indent}${head} {`,
  ...lines.flatMap((line) => (typeof line === 'string' ? [`${indent}    ${line}`] : print(line, `${indent}    `))),
  `${indent}}`,
];
