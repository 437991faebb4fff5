import { createHash } from 'node:crypto';
import type { TarFile } from '../../util/read-tar.ts';
import { indexProblems, namesOf } from './contents.ts';
import type { OpenBundle } from './open.ts';

/** How far the reading of a bundle is. */
export type OnFile = (name: string, read: number) => void;

/** Everything that is wrong with the content of a bundle, in sentences; its signature is judged elsewhere. */
export async function contentProblems({ index, files }: OpenBundle, onFile: OnFile): Promise<readonly string[]> {
  const names = namesOf(index);
  const left = new Map(index.content.map((one) => [one.path, one]));
  const problems = [...indexProblems(index)];
  let read = 0;
  try {
    for await (const file of files) {
      const found = await sumOf(file);
      const wanted = left.get(file.path);
      left.delete(file.path);
      const title = names.get(wanted?.sha256 ?? '') ?? '';
      onFile(title || file.path, (read += file.size));
      if (!wanted) problems.push(`${file.path}: the index does not know it, or has seen it before`);
      else if (file.size !== wanted.size)
        problems.push(`${file.path} (${title}): it has ${file.size} bytes, and should have ${wanted.size}`);
      else if (found !== wanted.sha256) problems.push(`${file.path} (${title}): its sum is ${found}`);
    }
  } catch (error) {
    problems.push(`the archive cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`);
  }
  const missing = [...left.values()].map(({ path, sha256 }) => `${path} (${names.get(sha256) ?? ''}): it is missing`);
  return [...problems, ...missing];
}

async function sumOf({ content }: TarFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}
