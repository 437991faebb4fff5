import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrograms } from '../prerequisites.ts';
import { run } from '../run.ts';
import { idOf, type Component, type Source } from './component.ts';
import { unpackTree } from './debian/tree.ts';
import { buildGo } from './go/build.ts';
import type { Making } from './making.ts';
import type { Origin } from './records.ts';
import { takeFromSeed } from './seed.ts';

/** The pieces of a component: plain files in a folder. */
export interface Pieces {
  readonly folder: string;
  readonly from: Origin;
}

/** Makes the pieces of a component, or finds those that an earlier run has finished. */
export async function ensurePieces(component: Component, recipe: string, making: Making): Promise<Pieces> {
  const name = `${idOf(component)}-${recipe.slice(0, 12)}`;
  const partial = join(making.paths.build, 'partial', name);
  for (const from of ORIGINS) {
    const folder = join(making.paths.build, 'pieces', `${name}.${from}`);
    if (await isThere(folder)) return { folder, from };
  }
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const from = (await takeFromSeed(component, partial, making))
    ? 'seed'
    : await make(component.source, partial, making);
  const folder = join(making.paths.build, 'pieces', `${name}.${from}`);
  await mkdir(join(making.paths.build, 'pieces'), { recursive: true });
  await rename(partial, folder);
  return { folder, from };
}

const ORIGINS: readonly Origin[] = ['seed', 'source', 'Debian'];

async function make(source: Source, target: string, making: Making): Promise<Origin> {
  switch (source.type) {
    case 'go':
      if (source.builds.some(({ cgo }) => cgo)) await ensureCompiler(making);
      for (const build of source.builds) await buildGo(build, target, making);
      return 'source';
    case 'c': {
      await ensureCompiler(making);
      const code = `${target}.c`;
      await writeFile(code, source.code);
      await run(['gcc', '-Os', '-Wall', '-static', '-s', '-o', join(target, source.program), code]);
      await rm(code);
      return 'source';
    }
    case 'debian':
      await unpackTree(source, target, making);
      return 'Debian';
    case 'several':
      for (const one of source.sources) await make(one, target, making);
      return 'source';
  }
}

const ensureCompiler = ({ say, signal }: Making) =>
  ensurePrograms({ gcc: 'gcc', '/usr/include/stdlib.h': 'libc6-dev' }, ({ detail }) => say(detail ?? ''), signal);

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
