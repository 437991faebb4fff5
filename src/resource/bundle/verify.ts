import { createHash } from 'node:crypto';
import type { TarFile } from '../../util/read-tar.ts';
import { contentTitles, entryProblem, indexProblems } from './contents.ts';
import type { OpenBundle } from './open.ts';

/** Called for each file with its display name and the bytes read so far. */
export type OnFile = (name: string, read: number) => void;

/** Verifies the content of a bundle, but not its signature. Returns all problems. */
export async function contentProblems({ index, files }: OpenBundle, onFile: OnFile): Promise<readonly string[]> {
  const titles = contentTitles(index);
  const remaining = new Map(index.content.map((one) => [one.path, one]));
  const problems = [...indexProblems(index)];
  const total = index.content.reduce((all, { size }) => all + size, 0);
  let read = 0;
  try {
    for await (const file of files) {
      const expected = remaining.get(file.path);
      remaining.delete(file.path);
      const title = titles.get(expected?.sha256 ?? '') ?? '';
      const problem = entryProblem(file, expected, titles);
      if (problem !== undefined) problems.push(problem);
      // Stops reading an archive that is much larger than its index states.
      if ((read += file.size) > 2 * total) {
        problems.push(`${file.path}: the archive is larger than the index states; the rest was not read`);
        return problems;
      }
      const sha256 = await hashContent(file);
      onFile(title || file.path, read);
      if (problem === undefined && expected && sha256 !== expected.sha256)
        problems.push(`${file.path} (${title}): checksum is ${sha256}, expected ${expected.sha256}`);
    }
  } catch (error) {
    problems.push(`the archive is truncated or corrupt: ${error instanceof Error ? error.message : String(error)}`);
  }
  const missing = [...remaining.values()].map(
    ({ path, sha256 }) => `${path} (${titles.get(sha256) ?? ''}): missing from the archive`,
  );
  return [...problems, ...missing];
}

async function hashContent({ content }: TarFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}
