import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { tryRun } from '../../run.ts';
import type { Making } from '../making.ts';
import { stagingReplaces } from './staging.ts';
import { ensureGo } from './toolchain.ts';

/** One Go module of ours, which requires others and builds programs of them. */
export interface GoBuild {
  /** Modules at their versions. */
  readonly require: Readonly<Record<string, string>>;
  /** Files of our own beside go.mod. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Packages to build, by the name of the program. */
  readonly programs: Readonly<Record<string, string>>;
  /** Packages whose tests become a program. */
  readonly tests?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** Values to set at link time, by package and name. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Needs a C compiler; linked statically all the same. */
  readonly cgo?: true;
  /** Files that a required module carries, by the name of the piece. */
  readonly carried?: Readonly<Record<string, { readonly module: string; readonly path: string }>>;
}

/** Builds the programs of a module into a folder. */
export async function buildGo(build: GoBuild, target: string, making: Making): Promise<void> {
  const source = `${target}.src`;
  const tool: GoTool = { go: await ensureGo(making), source, making, env: environment(build, making) };
  await rm(source, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  for (const [name, text] of Object.entries(build.sources ?? {})) await writeFile(join(source, name), text);
  await writeFile(join(source, 'go.mod'), goMod(build));
  const replaces = await stagingReplaces(build.require, (args) => goRun(tool, args));
  await writeFile(join(source, 'go.mod'), goMod(build, replaces));
  const compile = async (act: readonly string[], programs: GoBuild['programs']) => {
    for (const [name, at] of Object.entries(programs)) {
      making.say(`compiling ${name}`);
      await goRun(tool, [...act, ...FLAGS, ...flagsOf(build), '-o', join(target, name), at]);
    }
  };
  await compile(['build'], build.programs);
  await compile(['test', '-c', '-vet=off'], build.tests ?? {});
  for (const [piece, { module, path }] of Object.entries(build.carried ?? {})) {
    const folder = `${module}@${build.require[module] ?? ''}`;
    await mkdir(dirname(join(target, piece)), { recursive: true });
    await copyFile(join(modules(making), folder, path), join(target, piece));
  }
  await rm(source, { recursive: true, force: true });
}

interface GoTool {
  readonly go: string;
  readonly source: string;
  readonly making: Making;
  readonly env: Readonly<Record<string, string>>;
}

// Paths and times of this computer stay out, so that a second build gives the same bytes.
const FLAGS = ['-v', '-mod=mod', '-trimpath', '-buildvcs=false'];

const modules = ({ paths }: Making) => join(paths.build, 'go/modules');

const environment = ({ cgo }: GoBuild, making: Making) => ({
  CGO_ENABLED: cgo ? '1' : '0',
  GOARCH: making.arch,
  GOCACHE: join(making.paths.build, 'go/cache'),
  GOFLAGS: '-modcacherw',
  GOMODCACHE: modules(making),
  GOOS: 'linux',
  GOTOOLCHAIN: 'auto',
  GOWORK: 'off',
});

function flagsOf({ tags = [], variables = {}, cgo }: GoBuild): readonly string[] {
  const values = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`);
  const link = ['-s', '-w', ...values, ...(cgo ? ['-extldflags=-static'] : [])].join(' ');
  return [...(tags.length > 0 ? [`-tags=${tags.join(',')}`] : []), `-ldflags=${link}`];
}

const goMod = ({ require }: GoBuild, replaces: readonly string[] = []) =>
  [
    'module kubexm.lab/build',
    'go 1.24',
    ...Object.entries(require).map(([module, version]) => `require ${module} ${version}`),
    ...replaces.map((line) => `replace ${line}`),
    '',
  ].join('\n');

/** Compiling takes all a computer has, so it stands back behind everything else. */
async function goRun({ go, source, making, env }: GoTool, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  let packages = 0;
  const onLine = (line: string) => {
    if (isPackage(line)) making.say(`compiling ${line} (${++packages})`);
    else if (line.startsWith('go: downloading')) making.say(line.slice('go: '.length));
    else lines.push(line);
  };
  const argv = ['nice', '-n', '19', 'env', '-C', source, go, ...args];
  const { exit, stdout } = await tryRun(argv, { env, onLine, ...(making.signal && { signal: making.signal }) });
  if (exit === 0) return stdout;
  throw fail('LAB_BUILD_FAILED', { what: args.at(-1) ?? '', output: lines.slice(-20).join('\n') });
}

const isPackage = (line: string) => /^[\w.~/-]+$/.test(line);
