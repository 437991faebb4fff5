import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { run } from '../../run.ts';
import type { Making } from '../making.ts';
import { ensureArchives, USERLAND } from './archives.ts';

/** Packages that become a folder, with what they depend on. */
export interface DebianTree {
  readonly packages: readonly string[];
  /** Whether it lies above the userland, and so needs nothing that is there. */
  readonly aboveUserland: boolean;
}

/** Unpacks packages and what they need into a folder, without what only people and package managers read. */
export async function unpackTree(tree: DebianTree, target: string, making: Making): Promise<void> {
  const archives = await ensureArchives(making);
  const below = tree.aboveUserland ? await closure(USERLAND, archives) : [];
  const packages = (await closure(tree.packages, archives)).filter((name) => !below.includes(name));
  await mkdir(target, { recursive: true });
  for (const name of packages) {
    making.say(`unpacking ${name}`);
    await run(['dpkg-deb', '--extract', archiveOf(name, archives), target]);
  }
  for (const path of LEFT_OUT) await rm(join(target, path), { recursive: true, force: true });
}

/** The packages and all they depend on, in the order of their names. */
async function closure(roots: readonly string[], archives: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const seen = new Set<string>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name) || (NOT_IN_CONTAINERS.has(name) && !roots.includes(name))) continue;
    seen.add(name);
    const fields = await run(['dpkg-deb', '--field', archiveOf(name, archives), 'Depends', 'Pre-Depends']);
    waiting.push(...dependencies(fields, archives));
  }
  return [...seen].toSorted();
}

/** Of alternatives the first that was fetched; what only others provide is in another package that was. */
export function dependencies(fields: string, archives: ReadonlyMap<string, string>): readonly string[] {
  return fields
    .replaceAll(/^(Pre-)?Depends:/gm, ',')
    .split(',')
    .flatMap((wish) => {
      const names = wish.split('|').map((one) => one.trim().replace(/[ (:].*$/s, ''));
      return names.find((name) => archives.has(name)) ?? [];
    });
}

function archiveOf(name: string, archives: ReadonlyMap<string, string>): string {
  const path = archives.get(name);
  if (path === undefined) throw fail('LAB_PACKAGE_MISSING', { package: name });
  return path;
}

// They serve installation and start-up of a computer; in a container nobody does either.
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

const LEFT_OUT = [
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
