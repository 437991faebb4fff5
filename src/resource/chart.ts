import { list } from 'tar';
import { parse } from 'yaml';
import { fail } from '../common/errors/errors.ts';

/** What a chart says of itself. */
export interface ChartName {
  readonly name: string;
  readonly version: string;
}

/** Name and version of a packed chart. */
export async function readChart(file: string): Promise<ChartName> {
  const [text] = await contentsOf(file);
  const about: unknown = text === undefined ? undefined : parse(text);
  if (!isChart(about)) throw fail('CHART_INVALID', { file });
  return { name: about.name, version: about.version };
}

/** Of Chart.yaml in the one folder that a chart consists of; those of charts within lie deeper. */
async function contentsOf(file: string): Promise<readonly string[]> {
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

const isChart = (about: unknown): about is ChartName =>
  typeof about === 'object' &&
  about !== null &&
  'name' in about &&
  typeof about.name === 'string' &&
  'version' in about &&
  typeof about.version === 'string';
