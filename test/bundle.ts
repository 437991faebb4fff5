import { build, type BuildOptions } from 'esbuild';

/** Bundles a test program into one file, so that tests can run and kill it in a child process. */
export const bundle = (entry: string, outfile: string, options: BuildOptions = {}): Promise<unknown> =>
  build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
    ...options,
  });
