import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from '../../../common/errors/errors.ts';
import { withMachineLock } from '../../../util/process-lock.ts';
import { ensurePrograms, findProgram } from '../../prerequisites.ts';
import { run, tryRun } from '../../run.ts';
import { digestFile } from '../archive.ts';
import type { Arch, BuildContext } from '../build-context.ts';

/**
 * The path of a go command that can build every component: the installed one if it can download newer toolchains,
 * otherwise one downloaded from the module proxy.
 */
export async function ensureGo(context: BuildContext): Promise<string> {
  const installed = (await findProgram('go')) ?? '/usr/local/go/bin/go';
  if (await canFetchNewer(installed)) return installed;
  const folder = join(context.paths.build, 'go', `${GO.version}-${context.arch}`);
  const go = join(folder, 'bin/go');
  await withMachineLock('lab-go-toolchain', async () => {
    if (!(await canFetchNewer(go))) await fetchGo(folder, context);
  });
  return go;
}

const GO = {
  version: 'go1.26.8',
  sha256: {
    amd64: '30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7',
    arm64: '02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99',
  } satisfies Record<Arch, string>,
};

/** Go 1.21 and later download the toolchain version that a module requires. */
async function canFetchNewer(go: string): Promise<boolean> {
  const { exit, stdout } = await tryRun([go, 'env', 'GOVERSION'], { env: { GOTOOLCHAIN: 'local' } }).catch(() => NONE);
  const minor = Number(/^go1\.(\d+)/.exec(stdout)?.[1] ?? 0);
  return exit === 0 && minor >= 21;
}

const NONE = { exit: 1, stdout: '' };

async function fetchGo(folder: string, { arch, report, signal }: BuildContext): Promise<void> {
  await ensurePrograms({ unzip: 'unzip' }, ({ detail }) => report(detail ?? 'installing unzip'), signal);
  const module = `golang.org/toolchain@v0.0.1-${GO.version}.linux-${arch}`;
  const url = `${moduleProxy()}/${module.replace('@', '/@v/')}.zip`;
  const zip = `${folder}.zip`;
  const unpacked = `${folder}.partial`;
  report(`fetching ${url}`);
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await download(url, zip, signal);
  const { sha256 } = await digestFile(zip);
  if (sha256 !== GO.sha256[arch]) throw fail('LAB_DOWNLOAD_WRONG', { url, wanted: GO.sha256[arch], found: sha256 });
  await run(['unzip', '-q', zip, '-d', unpacked], signal ? { signal } : {});
  await makeExecutable(join(unpacked, module));
  await rename(join(unpacked, module), folder);
  await rm(unpacked, { recursive: true, force: true });
  await rm(zip, { force: true });
}

/** The first HTTP proxy in GOPROXY. */
export function moduleProxy(): string {
  const first = (process.env['GOPROXY'] ?? '').split(/[,|]/).find((one) => /^https?:/.test(one));
  return (first ?? 'https://proxy.golang.org').replace(/\/$/, '');
}

async function download(url: string, path: string, signal?: AbortSignal): Promise<void> {
  try {
    const response = await fetch(url, signal ? { signal } : {});
    if (!response.ok || !response.body) throw new Error(`the server returned status ${response.status}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  } catch (error) {
    if (signal?.aborted) throw fail('INTERRUPTED', {}, error);
    throw fail('LAB_DOWNLOAD_FAILED', { url, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** Sets the executable bits, which module zip files do not contain. */
async function makeExecutable(root: string): Promise<void> {
  for (const folder of ['bin', 'pkg/tool']) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
