import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// Built beside, then moved file by file, the entry last: whoever starts meanwhile sees the old program or the new one.
const ENTRY = 'kubexm.mjs';
const beside = `dist.${process.pid}`;
await build({
  entryPoints: { kubexm: 'src/cli/entry.ts' },
  outdir: beside,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Looks for files beside its own sources, so it stays where it is.
  external: ['ssh2'],
  target: 'node20.19',
  minifySyntax: true,
  logLevel: 'warning',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

await mkdir('dist', { recursive: true });
const made = await readdir(beside);
for (const name of [...made.filter((each) => each !== ENTRY), ENTRY])
  await rename(join(beside, name), join('dist', name));
await rm(beside, { recursive: true });

// Chunks of an earlier build stay for an hour: a program that runs may still load them.
const AN_HOUR = 3_600_000;
for (const name of await readdir('dist')) {
  // Another build may be tidying up, too.
  const found = await stat(join('dist', name)).catch(() => undefined);
  if (found && !made.includes(name) && Date.now() - found.mtimeMs > AN_HOUR)
    await rm(join('dist', name), { force: true });
}
