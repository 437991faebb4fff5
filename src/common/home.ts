import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where kubexm keeps what belongs to the user and not to one cluster: ~/.kubexm, or KUBEXM_HOME. */
export const kubexmHome = () => process.env['KUBEXM_HOME'] || join(homedir(), '.kubexm');

/** Expands a leading "~" as a shell does. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());
