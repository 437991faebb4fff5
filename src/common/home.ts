import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where kubexm keeps what belongs to the user and not to one cluster: ~/.kubexm, or KUBEXM_HOME. */
export const kubexmHome = () => process.env['KUBEXM_HOME'] || join(homedir(), '.kubexm');
