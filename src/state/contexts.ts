import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { fail } from '../common/errors/errors.ts';
import { kubexmHome } from '../common/home.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { writeFileAtomically } from '../util/write-file.ts';

/** A cluster that commands can use without -f. */
export interface Context {
  readonly name: string;
  /** The cluster file, as an absolute path. */
  readonly file: string;
  /** The directory that contains .kubexm of this cluster. */
  readonly workdir: string;
}

/** The content of ~/.kubexm/config. */
export interface Contexts {
  readonly current: string | undefined;
  readonly contexts: readonly Context[];
}

export const contextsPath = () => join(kubexmHome(), 'config');

export async function readContexts(): Promise<Contexts> {
  const path = contextsPath();
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw fail('FILE_UNREADABLE', { path, reason: error.message }, error);
  });
  return parseContexts(path, text);
}

export async function currentContext(): Promise<Context | undefined> {
  const { current, contexts } = await readContexts();
  return contexts.find(({ name }) => name === current);
}

/** Adds or replaces a context; the first one becomes current. */
export async function saveContext(context: Context): Promise<void> {
  const { current, contexts } = await readContexts();
  const others = contexts.filter(({ name }) => name !== context.name);
  await writeContexts({ current: current ?? context.name, contexts: [...others, context] });
}

export async function removeContext(name: string): Promise<void> {
  const { current, contexts } = await readContexts();
  if (!contexts.some((context) => context.name === name)) return;
  await writeContexts({
    current: current === name ? undefined : current,
    contexts: contexts.filter((context) => context.name !== name),
  });
}

export async function useContext(name: string): Promise<void> {
  const context = await findContext(name);
  const { contexts } = await readContexts();
  await writeContexts({ current: context.name, contexts });
}

export async function findContext(name: string): Promise<Context> {
  const { contexts } = await readContexts();
  const found = contexts.find((context) => context.name === name);
  if (found) return found;
  throw fail('CONTEXT_NOT_FOUND', { name, known: contexts.map((context) => context.name).join(', ') || 'none' });
}

/** The contexts in the format of ~/.kubexm/config. */
export const formatContexts = ({ current, contexts }: Contexts) =>
  stringify({ ...(current !== undefined && { currentContext: current }), contexts });

async function writeContexts(contexts: Contexts): Promise<void> {
  const path = contextsPath();
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, formatContexts(contexts), 0o600);
}

function parseContexts(path: string, text: string): Contexts {
  const content: unknown = parseYaml(path, text) ?? {};
  if (!isRecord(content)) throw fail('CONTEXTS_INVALID', { path });
  const { currentContext: current, contexts = [] } = content;
  if (!Array.isArray(contexts) || !contexts.every(isContext)) throw fail('CONTEXTS_INVALID', { path });
  return { current: typeof current === 'string' ? current : undefined, contexts };
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    throw fail('CONTEXTS_INVALID', { path }, error);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isContext = (value: unknown): value is Context =>
  isRecord(value) && ['name', 'file', 'workdir'].every((key) => typeof value[key] === 'string');
