import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { ensurePrograms } from '../prerequisites.ts';
import { run } from '../run.ts';
import { sumOf } from './archive.ts';
import { idOf, type Component } from './component.ts';
import type { Making } from './making.ts';

/** Takes the pieces of a component from the folder that KUBEXM_LAB_SEED names; false when it has none. */
export async function takeFromSeed(component: Component, target: string, making: Making): Promise<boolean> {
  const seed = process.env['KUBEXM_LAB_SEED'];
  if (!seed) return false;
  const archive = join(seed, `${idOf(component)}-linux-${making.arch}.tar.xz`);
  if (
    !(await access(archive).then(
      () => true,
      () => false,
    ))
  )
    return false;
  making.say('taking it from the seed');
  await ensurePrograms({ xz: 'xz-utils' }, ({ detail }) => making.say(detail ?? ''), making.signal);
  await check(archive, join(seed, 'SHA256SUMS'));
  await run(['tar', '-xJf', archive, '-C', target, '--no-same-owner'], making.signal ? { signal: making.signal } : {});
  return true;
}

async function check(archive: string, list: string): Promise<void> {
  const lines = (await readFile(list, 'utf8').catch(() => '')).split('\n').map((line) => line.split(/\s+\*?/));
  const wanted = lines.find(([, name]) => name === basename(archive))?.[0];
  if (wanted === undefined) throw fail('LAB_SEED_WRONG', { path: archive, reason: `${list} does not name it` });
  const { sha256 } = await sumOf(archive);
  if (sha256 !== wanted) {
    throw fail('LAB_SEED_WRONG', { path: archive, reason: `its sha256 is ${sha256}, and ${list} says ${wanted}` });
  }
}
