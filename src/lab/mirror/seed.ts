import { access, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { ensurePrograms } from '../prerequisites.ts';
import { run } from '../run.ts';
import { digestFile } from './archive.ts';
import type { Arch, BuildContext } from './build-context.ts';
import { idOf, type Component } from './component.ts';

/** Extracts the prebuilt pieces of a component from $KUBEXM_LAB_SEED; returns false if it does not contain them. */
export async function extractFromSeed(component: Component, target: string, context: BuildContext): Promise<boolean> {
  const archive = await findSeedArchive(component, context.arch);
  if (archive === undefined) return false;
  const { report, signal } = context;
  report('extracting from the seed');
  await ensurePrograms({ xz: 'xz-utils' }, ({ detail }) => report(detail ?? ''), signal);
  await verify(archive, join(dirname(archive), 'SHA256SUMS'));
  await run(['tar', '-xJf', archive, '-C', target, '--no-same-owner'], signal ? { signal } : {});
  return true;
}

/** The path of the archive in $KUBEXM_LAB_SEED that holds a component, if there is one. */
export async function findSeedArchive(component: Component, arch: Arch): Promise<string | undefined> {
  const seed = process.env['KUBEXM_LAB_SEED'];
  if (!seed) return undefined;
  const archive = join(seed, `${idOf(component)}-linux-${arch}.tar.xz`);
  return access(archive).then(
    () => archive,
    () => undefined,
  );
}

async function verify(archive: string, list: string): Promise<void> {
  const lines = (await readFile(list, 'utf8').catch(() => '')).split('\n').map((line) => line.split(/\s+\*?/));
  const expected = lines.find(([, name]) => name === basename(archive))?.[0];
  if (expected === undefined) throw fail('LAB_SEED_WRONG', { path: archive, reason: `${list} has no checksum for it` });
  const { sha256 } = await digestFile(archive);
  if (sha256 !== expected) {
    const reason = `its SHA-256 is ${sha256}, but ${list} lists ${expected}`;
    throw fail('LAB_SEED_WRONG', { path: archive, reason });
  }
}
