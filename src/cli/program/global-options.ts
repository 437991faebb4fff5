/** The global flags, as data for the parser, help and completion. */
export const globalFlags = [
  { flag: '--verbose', short: '-v', summary: 'verbose output' },
  { flag: '--log-format', value: 'FORMAT', choices: ['text', 'json'], default: 'text', summary: 'format of log lines' },
  { flag: '--no-color', summary: 'disable colors (same as NO_COLOR=1)' },
  { flag: '--workdir', value: 'DIR', default: '.', summary: 'directory that contains .kubexm' },
  { flag: '--yes', short: '-y', summary: 'answer "yes" to all questions' },
] as const;

/** Splits words into the global flags before the command and the remaining words. */
export function leadingGlobals(words: readonly string[]): {
  readonly flags: readonly string[];
  readonly rest: readonly string[];
} {
  const [first = '', ...others] = words;
  const known = globalFlags.find(
    (flag) => flag.flag === first.split('=')[0] || ('short' in flag && flag.short === first),
  );
  if (!known) return { flags: [], rest: words };
  const values = 'value' in known && !first.includes('=') ? 1 : 0;
  const { flags, rest } = leadingGlobals(others.slice(values));
  return { flags: [first, ...others.slice(0, values), ...flags], rest };
}
