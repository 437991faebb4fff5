import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { fail } from '../../common/errors/errors.ts';
import { recordOf } from '../kubernetes-object/patch.ts';

/** The values of a file of the user's. */
export async function readValues(path: string): Promise<object> {
  try {
    return recordOf(parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw fail('ADDON_FILE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
