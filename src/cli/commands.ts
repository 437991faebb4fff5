import type { Command } from './command.ts';
import { version } from './version.ts';

/** Every command, in the order of the reference page. */
export const commands: readonly Command[] = [version];
