import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { list } from 'tar';
import { parse } from 'yaml';
import { fail } from '../common/errors/errors.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { tarOf, withFolders, type TarEntry } from '../util/tar.ts';

/** The name and version of a Helm chart, from its Chart.yaml. */
export interface ChartName {
  readonly name: string;
  readonly version: string;
}

/** Reads the name and version of a packaged chart. */
export async function readChart(file: string): Promise<ChartName> {
  const [text] = await readChartYaml(file);
  const metadata: unknown = text === undefined ? undefined : parse(text);
  if (!isChartName(metadata)) throw fail('CHART_INVALID', { file });
  return { name: metadata.name, version: metadata.version };
}

/** Reads Chart.yaml from the top-level folder. Subcharts have their own Chart.yaml in deeper folders. */
async function readChartYaml(file: string): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    await list({
      file,
      strict: true,
      filter: (path) => /^(\.\/)?[^/]+\/Chart\.yaml$/.test(path),
      onReadEntry: (entry) => {
        const chunks: Buffer[] = [];
        entry.on('data', (chunk) => chunks.push(chunk));
        entry.on('end', () => found.push(Buffer.concat(chunks).toString()));
      },
    });
  } catch (cause) {
    throw fail('CHART_INVALID', { file }, cause);
  }
  return found;
}

const isChartName = (metadata: unknown): metadata is ChartName =>
  typeof metadata === 'object' &&
  metadata !== null &&
  'name' in metadata &&
  typeof metadata.name === 'string' &&
  'version' in metadata &&
  typeof metadata.version === 'string';

/**
 * Packages a chart folder reproducibly at `target` and returns the path. Returns the path of an already packaged chart
 * unchanged.
 */
export async function packageChart(path: string, name: string, target: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const entries = files
    .filter((file) => file.isFile())
    .map((file): TarEntry => {
      const from = join(file.parentPath, file.name);
      return { type: 'file', path: [name, ...relative(path, from).split(sep)].join('/'), from, mode: 0o644 };
    });
  await ensureFolder(dirname(target), 0o700);
  await pipeline(tarOf(withFolders(entries)), createGzip(), createWriteStream(target, { mode: 0o600 }));
  return target;
}
