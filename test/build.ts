import { execFileSync } from 'node:child_process';

/** The command line is tested as it is shipped: built. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
