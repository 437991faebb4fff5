import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// Built in a temporary directory and moved file by file, the entry last: a program started meanwhile is either the old or the new one.
const ENTRY = 'kubexm.mjs';
const output = `dist.${process.pid}`;
await build({
  entryPoints: { kubexm: 'src/cli/entry.ts' },
  outdir: output,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // It loads files relative to its own sources.
  external: ['ssh2'],
  target: 'node20.19',
  minifySyntax: true,
  logLevel: 'warning',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

await mkdir('dist', { recursive: true });
const built = await readdir(output);
for (const name of [...built.filter((each) => each !== ENTRY), ENTRY])
  await rename(join(output, name), join('dist', name));
await rm(output, { recursive: true });

// Chunks of earlier builds are kept for an hour, because a running program may still load them.
const HOUR_MS = 3_600_000;
for (const name of await readdir('dist')) {
  // Another build may have removed it.
  const found = await stat(join('dist', name)).catch(() => undefined);
  if (found && !built.includes(name) && Date.now() - found.mtimeMs > HOUR_MS)
    await rm(join('dist', name), { force: true });
}
