import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { run } from '../../run.ts';
import type { BuildContext } from '../build-context.ts';
import { ensureArchives, USERLAND } from './archives.ts';

/** Debian packages to unpack with their dependencies. */
export interface DebianTree {
  readonly packages: readonly string[];
  /** Whether the layer is on top of the userland layer; packages of the userland are then left out. */
  readonly aboveUserland: boolean;
}

/** Unpacks packages and their dependencies into a directory, without documentation and package manager files. */
export async function unpackTree(tree: DebianTree, target: string, context: BuildContext): Promise<void> {
  const archives = await ensureArchives(context);
  const inUserland = tree.aboveUserland ? await closure(USERLAND, archives) : [];
  const packages = (await closure(tree.packages, archives)).filter((name) => !inUserland.includes(name));
  await mkdir(target, { recursive: true });
  for (const name of packages) {
    context.report(`unpacking ${name}`);
    await run(['dpkg-deb', '--extract', archiveOf(name, archives), target]);
  }
  for (const path of EXCLUDED_PATHS) await rm(join(target, path), { recursive: true, force: true });
}

/** The packages and their transitive dependencies, sorted by name. */
async function closure(roots: readonly string[], archives: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const seen = new Set<string>();
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name) || (NOT_IN_CONTAINERS.has(name) && !roots.includes(name))) continue;
    seen.add(name);
    const fields = await run(['dpkg-deb', '--field', archiveOf(name, archives), 'Depends', 'Pre-Depends']);
    pending.push(...dependencies(fields, archives));
  }
  return [...seen].toSorted();
}

/**
 * Parses Depends and Pre-Depends. Picks the first downloaded alternative; skips virtual packages, whose provider
 * debootstrap has downloaded under its own name.
 */
export function dependencies(fields: string, archives: ReadonlyMap<string, string>): readonly string[] {
  return fields
    .replaceAll(/^(Pre-)?Depends:/gm, ',')
    .split(',')
    .flatMap((dependency) => {
      const names = dependency.split('|').map((alternative) => alternative.trim().replace(/[ (:].*$/s, ''));
      return names.find((name) => archives.has(name)) ?? [];
    });
}

function archiveOf(name: string, archives: ReadonlyMap<string, string>): string {
  const path = archives.get(name);
  if (path === undefined) throw fail('LAB_PACKAGE_MISSING', { package: name });
  return path;
}

// These are needed only to install or boot a system, not in a container.
const NOT_IN_CONTAINERS = new Set(
  [
    'adduser',
    'lsb-base',
    'sysvinit-utils',
    'dpkg',
    'init-system-helpers',
    'debconf',
    'debconf-2.0',
    'perl-base',
  ].concat(['passwd', 'iproute2', 'debianutils', 'base-files', 'tar']),
);

const EXCLUDED_PATHS = [
  ...['doc', 'man', 'info', 'locale', 'lintian', 'bash-completion', 'menu', 'doc-base', 'debianutils', 'bug'].map(
    (name) => `usr/share/${name}`,
  ),
  ...['x86_64', 'aarch64'].map((machine) => `usr/lib/${machine}-linux-gnu/gconv`),
  'etc/init.d',
  'etc/default',
  'lib/systemd',
  'usr/lib/systemd',
  'etc/logrotate.d',
  'etc/ufw',
];
