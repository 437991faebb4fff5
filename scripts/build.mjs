import { build } from 'esbuild';
import { rm, rename } from 'node:fs/promises';

// Built beside and renamed: a run that starts meanwhile never sees half a build.
const next = `dist.${process.pid}`;
await build({
  entryPoints: { kubexm: 'src/cli/entry.ts' },
  outdir: next,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  logLevel: 'warning',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
await rm('dist', { recursive: true, force: true });
await rename(next, 'dist');
