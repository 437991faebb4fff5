import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { at, items, parseJson, text } from '../json.ts';
import { run } from '../run.ts';

/** The extra disk of a machine: a loop device backed by a sparse file. */
export interface Disk {
  readonly device: string;
  /** Major and minor number, separated by a space. */
  readonly numbers: string;
}

/** Creates and attaches the disk of a machine unless it is attached already. */
export async function ensureDisk(folder: string, machine: string, size: string): Promise<Disk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${machine}.img`);
  const handle = await open(file, 'a', 0o600);
  await handle.truncate(bytesIn(size)).finally(() => handle.close());
  const attached = (await attachedDisks()).find((disk) => disk.file === file);
  const device = attached?.device ?? (await run(['losetup', '--find', '--show', file])).trim();
  const { rdev } = await stat(device);
  return { device, numbers: `${rdev >> 8} ${rdev & 0xff}` };
}

/** Detaches every disk whose backing file is, or was, in the directory. */
export async function detachDisks(folder: string): Promise<number> {
  const ours = (await attachedDisks()).filter(({ file }) => file.startsWith(`${folder}/`));
  for (const { device } of ours) await run(['losetup', '--detach', device]);
  return ours.length;
}

const attachedDisks = async () =>
  items(at(parseJson(await run(['losetup', '--json', '--list', '--output', 'NAME,BACK-FILE'])), 'loopdevices')).map(
    (disk) => ({
      device: text(at(disk, 'name')),
      file: text(at(disk, 'back-file')),
    }),
  );

const bytesIn = (size: string) => Number.parseInt(size, 10) * (size.endsWith('G') ? 1024 ** 3 : 1024 ** 2);
