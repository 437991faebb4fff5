/** Flags that every command has; kept here as data for help and completion alike. */
export const globalFlags = [
  { flag: '--verbose', short: '-v', summary: 'say more' },
  { flag: '--log-format', value: 'format', choices: ['text', 'json'], default: 'text', summary: 'how log lines look' },
  { flag: '--no-color', summary: 'plain text, also with NO_COLOR=1' },
  { flag: '--workdir', value: 'dir', default: '.', summary: 'where .kubexm is kept' },
  { flag: '--yes', short: '-y', summary: 'answer every question with yes' },
] as const;

/** The flags of all commands that stand before the first word, and what follows them. */
export function leadingGlobals(words: readonly string[]): {
  readonly flags: readonly string[];
  readonly rest: readonly string[];
} {
  const [first = '', ...others] = words;
  const known = globalFlags.find(
    (flag) => flag.flag === first.split('=')[0] || ('short' in flag && flag.short === first),
  );
  if (!known) return { flags: [], rest: words };
  const takes = 'value' in known && !first.includes('=') ? 1 : 0;
  const { flags, rest } = leadingGlobals(others.slice(takes));
  return { flags: [first, ...others.slice(0, takes), ...flags], rest };
}
