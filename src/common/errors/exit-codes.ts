/** Process exit codes, grouped by what the user has to do next. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  partial: 3,
  config: 10,
  connection: 11,
  command: 12,
  plan: 13,
  refused: 14,
  locked: 15,
  interrupted: 130,
} as const;

/** Descriptions of the exit codes for the reference page. */
export const EXIT_MEANING: ReadonlyMap<number, string> = new Map([
  [EXIT.ok, 'Success.'],
  [EXIT.internal, 'Internal error: a bug in kubexm, report it.'],
  [EXIT.usage, 'Invalid command line: see --help.'],
  [EXIT.partial, 'Partial success: some hosts are quarantined; retry the listed hosts with --resume.'],
  [EXIT.config, 'The cluster file, a host or another input is invalid: fix it and run again.'],
  [EXIT.connection, 'A host is unreachable, or login failed.'],
  [EXIT.command, 'A command failed on a host or on this machine.'],
  [EXIT.plan, 'No valid plan can be created for the command.'],
  [EXIT.refused, 'Refused: data or quorum would be lost, or the command was not confirmed.'],
  [EXIT.locked, 'Another run holds the cluster lock.'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C.'],
]);
