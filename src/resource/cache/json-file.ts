import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Json } from '../../common/json.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../util/write-file.ts';

/** Reads a JSON file from the cache. Returns null if it is missing or corrupt, because its content can be recreated. */
export async function readJson(path: string): Promise<Json> {
  try {
    const json: Json = JSON.parse(await readFile(path, 'utf8'));
    return json;
  } catch {
    return null;
  }
}

export async function writeJson(path: string, value: Json): Promise<void> {
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, `${JSON.stringify(value)}\n`, 0o600);
}
