/** Returns the lines of a Markdown table. */
export const table = (head: readonly string[], rows: readonly string[]): readonly string[] => [
  row(head),
  row(head.map(() => '---')),
  ...rows,
];

export const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
