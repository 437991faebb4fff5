import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the directory for data shared by all clusters of a user: KUBEXM_HOME, or ~/.kubexm. */
export const kubexmHome = () => process.env['KUBEXM_HOME'] || join(homedir(), '.kubexm');

/** Expands a leading "~" to the home directory, as a shell does. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());

/** Replaces the home directory at the start of an absolute path by "~". */
export const shortenHome = (path: string): string =>
  path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path;
