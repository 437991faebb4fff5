import { fail } from '../../common/errors/errors.ts';
import { quote } from '../../connector/quote.ts';
import type { PackageManager } from '../package-manager.ts';
import type { Runner } from '../runner.ts';
import { waitForLocks } from './lock.ts';
import { runTransaction, quoteAll, type Transaction } from './transaction.ts';

/** Creates the package manager for RHEL 8 and later, its derivatives and openEuler. */
export const dnf = (runner: Runner): PackageManager =>
  rpm(runner, {
    type: 'dnf',
    install: '--setopt=install_weak_deps=False --setopt=keepcache=False --setopt=strict=True',
    remove: '--setopt=clean_requirements_on_remove=False',
  });

/** Creates the package manager for CentOS 7. */
export const yum = (runner: Runner): PackageManager =>
  rpm(runner, {
    type: 'yum',
    // Without this option, yum succeeds even if some packages do not exist.
    install: '--setopt=skip_missing_names_on_install=False --setopt=keepcache=0',
    remove: '--setopt=clean_requirements_on_remove=0',
  });

interface RpmManager {
  readonly type: 'dnf' | 'yum';
  readonly install: string;
  readonly remove: string;
}

function rpm(runner: Runner, options: RpmManager): PackageManager {
  const { type } = options;
  const transaction = (verb: 'install' | 'remove', names: readonly string[]): Transaction => ({
    manager: type,
    display: `${type} ${verb} ${quoteAll(names)}`,
    script: `${WAIT}${type} -y -q ${options[verb]} ${verb} ${quoteAll(names)} </dev/null\n`,
    unknown: /(?:No match for argument: |Unable to find a match: |No package )([\w.+-]+)/g,
  });
  const remove: PackageManager['remove'] = (names, options) =>
    names.length === 0 ? Promise.resolve() : runTransaction(runner, transaction('remove', names), options);
  return Object.freeze<PackageManager>({
    type,
    installed: async (names) => parseRpm(await query(runner, names)),
    // Not required, because kubexm disables the removal of dependencies (clean_requirements_on_remove).
    dependencies: () => Promise.resolve(new Set()),
    asDependencies: () => Promise.resolve(),
    neededBy: async (names) => dependentsIn((await runner.query(testRemoval(names))).stdout),
    // RPM keeps changed files as .rpmsave and does not list them.
    leftovers: () => Promise.resolve([]),
    install: (names, options) => runTransaction(runner, transaction('install', names), options),
    remove,
    removeKeepingConfiguration: remove,
  });
}

const testRemoval = (names: readonly string[]) => ({
  text: `${names.map((name) => `echo "== "${quote(name)}; LC_ALL=C rpm -e --test ${quote(name)} 2>&1`).join('\n')}
echo '== '; LC_ALL=C rpm -qa --qf ${quote('%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}\\t%{NAME}\\n')}`,
  display: `rpm -e --test ${quoteAll(names)}`,
});

/** Parses test removals, which print full package identifiers, and the list that maps identifiers to names. */
function dependentsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = text.split(/^== /m).slice(1);
  const names = new Map(
    sections
      .at(-1)
      ?.split('\n')
      .map((line): [string, string] => {
        const [full = '', name = ''] = line.split('\t');
        return [full, name];
      }),
  );
  return new Map(
    sections
      .slice(0, -1)
      .map((section) => [
        section.split('\n')[0] ?? '',
        [...section.matchAll(/is needed by \(installed\) (\S+)$/gm)].map(([, full = '']) => names.get(full) ?? full),
      ]),
  );
}

async function query(runner: Runner, names: readonly string[] | undefined): Promise<string> {
  const selection = names === undefined ? '-a' : quoteAll(names);
  const text = `LC_ALL=C rpm -q --qf ${quote('%{NAME}\\t%{VERSION}-%{RELEASE}\\n')} ${selection}`;
  const { exit, stdout, stderr } = await runner.query({ text, display: `rpm -q ${selection}` });
  // The exit code is the number of packages that are not installed.
  if (stderr === '' && exit < 126) return stdout;
  throw fail('COMMAND_FAILED', { host: runner.host, command: `rpm -q ${selection}`, exit, output: stderr });
}

const parseRpm = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => line.split('\t'))
      .map(([name = '', version = '']) => [name, version]),
  );

const WAIT = `${waitForLocks({
  locked: ['/usr/lib/sysimage/rpm/.rpm.lock', '/var/lib/rpm/.rpm.lock'],
  pidFiles: [
    '/var/run/yum.pid',
    '/var/cache/dnf/metadata_lock.pid',
    '/var/cache/dnf/download_lock.pid',
    '/var/lib/dnf/rpmdb_lock.pid',
  ],
})}kubexm_wait
`;
