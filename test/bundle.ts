import { build, type BuildOptions } from 'esbuild';

/** Makes one file of a test's own program, which runs in a process that can be killed. */
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
