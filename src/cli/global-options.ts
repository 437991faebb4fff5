/** Flags that every command has; kept here as data for help and completion alike. */
export const globalFlags = [
  { flag: '--verbose', short: '-v', summary: 'say more' },
  { flag: '--log-format', value: 'format', choices: ['text', 'json'], default: 'text', summary: 'how log lines look' },
  { flag: '--no-color', summary: 'plain text, also with NO_COLOR=1' },
  { flag: '--workdir', value: 'dir', default: '.', summary: 'where .kubexm is kept' },
  { flag: '--yes', short: '-y', summary: 'answer every question with yes' },
] as const;
