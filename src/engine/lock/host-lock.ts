import { fail } from '../../common/errors/errors.ts';
import { GONE, parseHolder, type LockRequest, type LockStore, type LockAnswer } from './lock-store.ts';

/** The connector features that a lock requires. */
export interface LockHost {
  readonly host: string;
  query(script: string): Promise<Answer>;
  exec(script: string, options?: { readonly stdin?: string }): Promise<Answer>;
}

interface Answer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Creates a lock on a host. The lock uses the clock of the host, so it requires neither a cluster nor synchronized
 * clocks.
 */
export function hostLockStore(
  connector: LockHost,
  path: string,
  reach: () => Promise<unknown> = () => connector.query('true'),
): LockStore {
  const { host } = connector;
  const folder = `'${path.replaceAll("'", '')}'`;
  const read = ({ exit, stdout, stderr }: Answer) => {
    if (exit !== 0) throw fail('LOCK_UNWRITABLE', { host, path, reason: stderr.trim() || `exit code ${exit}` });
    const [words = '', ...rest] = stdout.split('\n');
    const [verdict = '', number = '0'] = words.split(' ');
    return { verdict, fence: Number(number), holder: parseHolder(rest.join('\n')) };
  };
  // Uses queries, which are cheap and share round trips, because all operations except acquiring the lock are
  // idempotent.
  const query = async (script: string) => read(await connector.query(`${enter(folder)}\n${script}`));
  const take = async (request: LockRequest): Promise<LockAnswer> => {
    const stdin = JSON.stringify(request.holder);
    const answer = await connector.exec(`${head(folder)}\n${takeScript(request)}`, { stdin });
    const { verdict, fence, holder } = read(answer);
    if (verdict === 'taken') return { type: 'taken', fence };
    return verdict === 'held' && holder ? { type: 'held', fence, holder } : take(request);
  };
  return Object.freeze({
    name: host,
    reach,
    take,
    renew: async (fence: number) => {
      const { verdict, holder } = await query(
        `if [ "$(last)" = ${fence} ]; then touch -c ${fence}; echo kept; else echo lost; cat "$(last)"; fi`,
      );
      return verdict === 'lost' ? (holder ?? GONE) : undefined;
    },
    // Empties the file instead of removing it, because the next holder must get a higher fencing token.
    release: async (fence: number, remove = false) =>
      void (await query(remove ? removeScript(folder, fence) : `[ ! -e ${fence} ] || : > ${fence}; echo released`)),
  });
}

const head = (folder: string) => `umask 077
mkdir -p ${folder} && cd ${folder} || exit 1
${NUMBERS}`;

/** Does not create files, because a late heartbeat must not recreate a removed lock. */
const enter = (folder: string) => `cd ${folder} 2>/dev/null || { echo lost; exit 0; }
${NUMBERS}`;

const NUMBERS = `all() { ls | grep -E '^[0-9]+$' | sort -n; }
last() { all | tail -n 1; }`;

/** Returns the script that removes a lock. Only the last holder removes the folder and its empty parent folders. */
const removeScript = (folder: string, fence: number) => `if [ "$(last)" = ${fence} ]; then
  cd / && rm -rf -- ${folder} && rmdir -p -- "$(dirname ${folder})" 2>/dev/null
fi
echo released`;

const takeScript = ({ atLeast, staleMs, over = 0 }: LockRequest) => `was=$(last)
if [ -n "$was" ] && [ -s "$was" ] && [ "$was" != ${over} ]; then
  age=$(( $(date +%s) - $(stat -c %Y "$was") ))
  if [ "$age" -lt ${Math.ceil(staleMs / 1000)} ]; then echo "held $was"; cat "$was"; exit 0; fi
fi
next=$(( \${was:-0} + 1 ))
if [ "$next" -lt ${atLeast} ]; then next=${atLeast}; fi
if ! cat > ".new.$$" || [ ! -s ".new.$$" ]; then rm -f ".new.$$"; exit 1; fi
if ! ln ".new.$$" "$next" 2>/dev/null; then rm -f ".new.$$"; echo raced; exit 0; fi
rm -f ".new.$$"
if [ "$(last)" != "$next" ]; then rm -f "$next"; echo raced; exit 0; fi
for old in $(all); do if [ "$old" -lt "$next" ]; then rm -f "$old"; fi; done
echo "taken $next"`;
