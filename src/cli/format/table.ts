import Table from 'cli-table3';

/** Formats a table like kubectl: no borders, three spaces between columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = new Table({
    chars: BORDERLESS,
    style: { 'padding-left': 0, 'padding-right': 3, head: [], border: [] },
  });
  lines.push([...head], ...rows.map((row) => row.map((cell) => cell || '-')));
  return lines.toString().replaceAll(/ +$/gm, '');
}

const BORDERLESS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((part) => [part, `${part}-mid`, `${part}-left`, `${part}-right`])
    .map((part) => [part, '']),
);
