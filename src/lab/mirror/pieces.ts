import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrograms } from '../prerequisites.ts';
import { run } from '../run.ts';
import { idOf, type Component, type Source } from './component.ts';
import { unpackTree } from './debian/tree.ts';
import { buildGo } from './go/build.ts';
import type { BuildContext } from './build-context.ts';
import type { Origin } from './records.ts';
import { extractFromSeed } from './seed.ts';

/** The pieces of a component: plain files in a directory. */
export interface Pieces {
  readonly folder: string;
  readonly from: Origin;
}

/** Builds the pieces of a component, or reuses those completed by an earlier run. */
export async function ensurePieces(component: Component, recipe: string, context: BuildContext): Promise<Pieces> {
  const name = `${idOf(component)}-${recipe.slice(0, 12)}`;
  const partial = join(context.paths.build, 'partial', name);
  for (const from of ORIGINS) {
    const folder = join(context.paths.build, 'pieces', `${name}.${from}`);
    if (await exists(folder)) return { folder, from };
  }
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const from = (await extractFromSeed(component, partial, context))
    ? 'seed'
    : await buildSource(component.source, partial, context);
  if (component.beside) await buildSource(component.beside, partial, context);
  const folder = join(context.paths.build, 'pieces', `${name}.${from}`);
  await mkdir(join(context.paths.build, 'pieces'), { recursive: true });
  await rename(partial, folder);
  return { folder, from };
}

const ORIGINS: readonly Origin[] = ['seed', 'source', 'Debian'];

async function buildSource(source: Source, target: string, context: BuildContext): Promise<Origin> {
  switch (source.type) {
    case 'go':
      if (source.builds.some(({ cgo }) => cgo)) await ensureCompiler(context);
      for (const build of source.builds) await buildGo(build, target, context);
      return 'source';
    case 'c': {
      await ensureCompiler(context);
      const code = `${target}.c`;
      await writeFile(code, source.code);
      const argv = ['gcc', '-Os', '-Wall', '-static', '-s', '-o', join(target, source.program), code];
      await run(argv, context.signal ? { signal: context.signal } : {});
      await rm(code);
      return 'source';
    }
    case 'debian':
      await unpackTree(source, target, context);
      return 'Debian';
    case 'several':
      for (const one of source.sources) await buildSource(one, target, context);
      return 'source';
  }
}

const ensureCompiler = ({ report, signal }: BuildContext) =>
  ensurePrograms({ gcc: 'gcc', '/usr/include/stdlib.h': 'libc6-dev' }, ({ detail }) => report(detail ?? ''), signal);

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
