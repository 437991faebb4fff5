/** Process exit codes, one for each kind of thing the user would do next. */
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

/** What each exit code means to a script or a person. */
export const EXIT_MEANING: ReadonlyMap<number, string> = new Map([
  [EXIT.ok, 'Everything asked for is so.'],
  [EXIT.internal, 'A defect of kubexm itself: report it.'],
  [EXIT.usage, 'The command line is wrong: see --help.'],
  [EXIT.partial, 'Done for some hosts; the others are listed and can be taken in again.'],
  [EXIT.config, 'The cluster file, a host or another input is not fit: mend it and run again.'],
  [EXIT.connection, 'A host cannot be reached or does not let us in.'],
  [EXIT.command, 'A command failed on a host or on this machine.'],
  [EXIT.plan, 'No valid plan can be made for this.'],
  [EXIT.refused, 'Refused, because data or quorum would be lost, or a yes was missing.'],
  [EXIT.locked, 'Another run holds the lock.'],
  [EXIT.interrupted, 'Stopped by Ctrl-C.'],
]);
