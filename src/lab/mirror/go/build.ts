import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
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
  /** go.sum lines of modules that the checksum database does not have. */
  readonly sums?: readonly string[];
  /** Module versions that replace those that required modules name: "k8s.io/api => k8s.io/api v0.33.5". */
  readonly replace?: readonly string[];
  /** Module versions that nothing of this build needs and that are not published: "example.com/module v0.1.0". */
  readonly exclude?: readonly string[];
  /** Files and directories to copy from a required module, by piece name. */
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
  await writeFile(join(source, 'go.sum'), (build.sums ?? []).map((line) => `${line}\n`).join(''));
  const replaces = await stagingReplaces(build.require, (args) => goRun(tool, args));
  await writeFile(join(source, 'go.mod'), goMod(build, replaces));
  await compilePrograms(build, target, tool);
  await compileTests(build, target, tool);
  await copyCarried(build, target, tool);
  await rm(source, { recursive: true, force: true });
}

async function copyCarried(build: GoBuild, target: string, tool: GoTool): Promise<void> {
  for (const [piece, { module, path }] of Object.entries(build.carried ?? {})) {
    const release = `${module}@${build.require[module] ?? ''}`;
    const folder = join(modules(tool.context), release);
    // Already there if a program was built from it.
    if (Object.keys(build.programs).length === 0) await goRun(tool, ['mod', 'download', release]);
    await mkdir(dirname(join(target, piece)), { recursive: true });
    await cp(join(folder, path), join(target, piece), { recursive: true });
  }
}

// One call for all programs: it loads the module graph once and links the programs in parallel.
async function compilePrograms(build: GoBuild, target: string, tool: GoTool): Promise<void> {
  const packages = Object.entries(build.programs);
  if (packages.length === 0) return;
  const output = `${target}.bin`;
  tool.context.report(`compiling ${packages.map(([name]) => name).join(', ')}`);
  await rm(output, { recursive: true, force: true });
  await goRun(tool, ['build', ...FLAGS, ...flagsOf(build), '-o', `${output}/`, ...packages.map(([, path]) => path)]);
  for (const [name, path] of packages) await rename(join(output, executableName(path)), join(target, name));
  await rm(output, { recursive: true });
}

async function compileTests(build: GoBuild, target: string, tool: GoTool): Promise<void> {
  for (const [name, path] of Object.entries(build.tests ?? {})) {
    tool.context.report(`compiling ${name}`);
    const flags = ['-c', '-vet=off', ...FLAGS, ...flagsOf(build)];
    await goRun(tool, ['test', ...flags, '-o', join(target, name), path]);
  }
}

/** The name that `go build` gives an executable: the last element of its path that is not a major version. */
export const executableName = (path: string): string =>
  (path === '.' ? MODULE : path).split('/').findLast((element) => !/^v\d+$/.test(element)) ?? '';

const MODULE = 'kubexm.lab/build';

interface GoTool {
  readonly go: string;
  readonly source: string;
  readonly context: BuildContext;
  readonly env: Readonly<Record<string, string>>;
}

// Without local paths and timestamps builds are reproducible. The linker drops debug information (-w), and not
// generating it saves a sixth of the compile time.
const FLAGS = ['-v', '-mod=mod', '-trimpath', '-buildvcs=false', '-gcflags=all=-dwarf=false'];

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

const goMod = ({ require, replace = [], exclude = [] }: GoBuild, replaces: readonly string[] = []) =>
  [
    `module ${MODULE}`,
    'go 1.24',
    ...Object.entries(require).map(([module, version]) => `require ${module} ${version}`),
    ...exclude.map((release) => `exclude ${release}`),
    ...[...replaces, ...replace].map((line) => `replace ${line}`),
    '',
  ].join('\n');

async function goRun({ go, source, context, env }: GoTool, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  let packages = 0;
  const onLine = (line: string) => {
    if (isPackage(line)) {
      context.onPackage?.();
      context.report(`compiling ${line} (${++packages})`);
    } else if (line.startsWith('go: downloading')) context.report(line.slice('go: '.length));
    else lines.push(line);
  };
  const argv = ['env', '-C', source, go, ...args];
  const { exit, stdout } = await tryRun(argv, { env, onLine, ...(context.signal && { signal: context.signal }) });
  if (exit === 0) return stdout;
  throw fail('LAB_BUILD_FAILED', { what: args.at(-1) ?? '', output: lines.slice(-20).join('\n') });
}

const isPackage = (line: string) => /^[\w.~/-]+$/.test(line);
