import { homedir } from 'node:os';

/** A path as a shell would read it: "~/key" is in the home of the user. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());
