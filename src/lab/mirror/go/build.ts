import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { tryRun } from '../../run.ts';
import type { BuildContext } from '../build-context.ts';
import { stagingReplaces } from './staging.ts';
import { ensureGo } from './toolchain.ts';

/** A temporary Go module that requires other modules and builds programs from them. Covered by the recipe hash. */
export interface GoBuild {
  /** Required module versions. */
  readonly require: Readonly<Record<string, string>>;
  /** Source files of the temporary module. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Packages to build, by program name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Packages whose tests to compile, by program name. */
  readonly tests?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** Values to set at link time (-X), by variable. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Needs a C compiler; still linked statically. */
  readonly cgo?: true;
  /** Files to copy from a required module, by piece name. */
  readonly carried?: Readonly<Record<string, { readonly module: string; readonly path: string }>>;
}

/** Builds the programs of a module into a directory. */
export async function buildGo(build: GoBuild, target: string, context: BuildContext): Promise<void> {
  const source = `${target}.src`;
  const tool: GoTool = { go: await ensureGo(context), source, context, env: environment(build, context) };
  await rm(source, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  for (const [name, text] of Object.entries(build.sources ?? {})) await writeFile(join(source, name), text);
  await writeFile(join(source, 'go.mod'), goMod(build));
  const replaces = await stagingReplaces(build.require, (args) => goRun(tool, args));
  await writeFile(join(source, 'go.mod'), goMod(build, replaces));
  const compile = async (command: readonly string[], programs: GoBuild['programs']) => {
    for (const [name, path] of Object.entries(programs)) {
      context.report(`compiling ${name}`);
      await goRun(tool, [...command, ...FLAGS, ...flagsOf(build), '-o', join(target, name), path]);
    }
  };
  await compile(['build'], build.programs);
  await compile(['test', '-c', '-vet=off'], build.tests ?? {});
  for (const [piece, { module, path }] of Object.entries(build.carried ?? {})) {
    const folder = `${module}@${build.require[module] ?? ''}`;
    await mkdir(dirname(join(target, piece)), { recursive: true });
    await copyFile(join(modules(context), folder, path), join(target, piece));
  }
  await rm(source, { recursive: true, force: true });
}

interface GoTool {
  readonly go: string;
  readonly source: string;
  readonly context: BuildContext;
  readonly env: Readonly<Record<string, string>>;
}

// Leaves out local paths and timestamps, so builds are reproducible.
const FLAGS = ['-v', '-mod=mod', '-trimpath', '-buildvcs=false'];

const modules = ({ paths }: BuildContext) => join(paths.build, 'go/modules');

const environment = ({ cgo }: GoBuild, context: BuildContext) => ({
  CGO_ENABLED: cgo ? '1' : '0',
  GOARCH: context.arch,
  GOCACHE: join(context.paths.build, 'go/cache'),
  GOFLAGS: '-modcacherw',
  GOMODCACHE: modules(context),
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

/** Runs at the lowest priority, because compiling uses all CPUs. */
async function goRun({ go, source, context, env }: GoTool, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  let packages = 0;
  const onLine = (line: string) => {
    if (isPackage(line)) context.report(`compiling ${line} (${++packages})`);
    else if (line.startsWith('go: downloading')) context.report(line.slice('go: '.length));
    else lines.push(line);
  };
  const argv = ['nice', '-n', '19', 'env', '-C', source, go, ...args];
  const { exit, stdout } = await tryRun(argv, { env, onLine, ...(context.signal && { signal: context.signal }) });
  if (exit === 0) return stdout;
  throw fail('LAB_BUILD_FAILED', { what: args.at(-1) ?? '', output: lines.slice(-20).join('\n') });
}

const isPackage = (line: string) => /^[\w.~/-]+$/.test(line);
