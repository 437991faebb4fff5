import { homedir } from 'node:os';
import { join } from 'node:path';

/** The directory for everything that is shared by the clusters of a user: KUBEXM_HOME, or ~/.kubexm. */
export const kubexmHome = () => process.env['KUBEXM_HOME'] || join(homedir(), '.kubexm');

/** Expands a leading "~" as a shell does. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());
