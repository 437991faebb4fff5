import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { labOptions, type LabOptions } from './options.ts';
import { labPaths, labsFolder } from './paths.ts';

/** What a lab was made with, or undefined when there is no readable record of it. */
export async function readRecord(lab: string): Promise<LabOptions | undefined> {
  try {
    const given: Partial<LabOptions> = JSON.parse(await readFile(labPaths(lab).record, 'utf8'));
    return labOptions(given);
  } catch {
    return undefined;
  }
}

/** Written before anything is made, so that whatever happens next leaves a trace. */
export async function writeRecord(options: LabOptions): Promise<void> {
  const { folder, record } = labPaths(options.name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(record, `${JSON.stringify(options, null, 2)}\n`, { mode: 0o600 });
}

/** The labs that have a folder. */
export const recordedLabs = async (): Promise<readonly string[]> =>
  (await readdir(labsFolder(), { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
