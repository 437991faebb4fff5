import { fail } from '../../common/errors/errors.ts';
import { quote } from '../../connector/quote.ts';
import { sh } from '../command.ts';
import type { PackageManager } from '../package-manager.ts';
import type { Runner } from '../runner.ts';
import { waitForLocks } from './lock.ts';
import { runTransaction, quoteAll, type Transaction } from './transaction.ts';

/** Creates the package manager for Debian, Ubuntu and their derivatives. */
export function apt(runner: Runner): PackageManager {
  const list = async (names: readonly string[], state: State) => {
    const { exit, stdout, stderr } = await runner.query({ text: query(names), display: 'dpkg-query' });
    // Exit code 1 means that a package is unknown.
    if (exit > 1) throw fail('COMMAND_FAILED', { host: runner.host, command: 'dpkg-query', exit, output: stderr });
    return stdout
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([, , status = '']) => status.trimEnd().endsWith(state));
  };
  const remove =
    (verb: 'purge' | 'remove') =>
    (names: readonly string[], options = {}) =>
      names.length === 0
        ? Promise.resolve()
        : runTransaction(runner, transaction(verb, names, removeScript(verb, names)), options);
  return Object.freeze<PackageManager>({
    type: 'apt',
    installed: async (names = []) =>
      new Map((await list(names, 'i')).map(([name = '', version = '']) => [name, version])),
    dependencies: async () => new Set((await runner.query(sh`apt-mark showauto`)).stdout.split('\n').filter(Boolean)),
    neededBy: async (names) => {
      // Simulates the removal of all packages at once, which is fast. Simulates each package only if other packages
      // would be removed, too.
      const all = dependentsIn((await runner.query(simulateRemoval([names]))).stdout);
      if ([...all.values()].flat().every((name) => names.includes(name))) return new Map();
      return dependentsIn((await runner.query(simulateRemoval(names.map((name) => [name])))).stdout);
    },
    leftovers: async () => (await list([], 'c')).map(([name = '']) => name),
    asDependencies: async (names) => {
      await runner.run({ text: `apt-mark -qq auto ${quoteAll(names)}`, display: `apt-mark auto ${quoteAll(names)}` });
    },
    install: (names, options) => runTransaction(runner, transaction('install', names, installScript(names)), options),
    remove: remove('purge'),
    removeKeepingConfiguration: remove('remove'),
  });
}

/** The second letter of the dpkg status: installed, or only configuration files remain. */
type State = 'i' | 'c';

const query = (names: readonly string[]) =>
  `${sh`dpkg-query -W -f=${'${Package}\t${Version}\t${db:Status-Abbrev}\n'} `.text}${quoteAll(names)} 2>/dev/null`;

const simulateRemoval = (sets: readonly (readonly string[])[]) => ({
  text: sets
    .map(
      (names) => `echo ${quote(`== ${names.join(' ')}`)}; LC_ALL=C apt-get -s -q purge ${quoteAll(names)} 2>/dev/null`,
    )
    .join('\n'),
  display: `apt-get -s purge ${quoteAll(sets.flat())}`,
});

/** Parses simulated removals: for each package, all packages that would be removed. */
const dependentsIn = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .split(/^== /m)
      .slice(1)
      .map((section) => [
        section.split('\n')[0] ?? '',
        [...section.matchAll(/^(?:Remv|Purg) ([^\s:]+)/gm)].map((match) => match[1] ?? ''),
      ]),
  );

const transaction = (verb: string, names: readonly string[], script: string): Transaction => ({
  manager: 'apt',
  display: `apt-get ${verb} ${quoteAll(names)}`,
  script: `${SETTINGS}${WAIT}${script}`,
  unknown: /(?:Unable to locate package|Package '?)\s*([\w.+-]+)(?:'? has no installation candidate)?$/gm,
});

const installScript = (names: readonly string[]) => `${REPAIR}updated=
kubexm_update() { updated=yes; kubexm_wait; apt-get $options update; }
for name in ${quoteAll(names)}; do apt-cache show "$name" >/dev/null 2>&1 || { kubexm_update || exit; break; }; done
kubexm_install() { apt-get $options install ${quoteAll(names)}; }
kubexm_install && exit 0
[ -z "$updated" ] || exit 100
echo 'updating the package lists, because they may be outdated'
kubexm_update && kubexm_install
`;

const removeScript = (verb: string, names: readonly string[]) =>
  `${REPAIR}apt-get $options ${verb} ${quoteAll(names)}\n`;

/**
 * Repository with packages from an offline bundle. While it exists, kubexm uses no other repository. Other apt calls
 * ignore it.
 */
export const LOCAL_REPOSITORY = '/var/lib/kubexm/packages';

// Prevents needrestart from restarting daemons, and keeps locally changed configuration files.
const SETTINGS = `exec </dev/null
[ ! -e ${LOCAL_REPOSITORY}/list ] || export APT_CONFIG=${LOCAL_REPOSITORY}/apt.conf
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
options='-q -y --no-install-recommends -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o APT::Keep-Downloaded-Packages=false -o Acquire::Retries=3'
`;

const WAIT = `${waitForLocks({
  locked: [
    '/var/lib/dpkg/lock-frontend',
    '/var/lib/dpkg/lock',
    '/var/lib/apt/lists/lock',
    '/var/cache/apt/archives/lock',
  ],
  pidFiles: [],
})}kubexm_wait
`;

const REPAIR = `if [ -n "$(dpkg --audit 2>&1)" ] || ls /var/lib/dpkg/updates/[0-9]* >/dev/null 2>&1; then
  echo 'dpkg was interrupted; completing the package configuration'
  dpkg --force-confdef --force-confold --configure -a || exit
fi
`;
