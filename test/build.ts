import { execFileSync } from 'node:child_process';

/** Builds dist/, because tests run the built command line. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
