import { fail } from '../../common/errors/errors.ts';
import { GONE, parseHolder, type Ask, type LockPlace, type Taken } from './lock-store.ts';

/** What a connector has that a lock needs. */
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

/** A lock on a host, by its own clock, so that it works before there is a cluster and whatever our clock says. */
export function remotePlace(
  connector: LockHost,
  path: string,
  reach: () => Promise<unknown> = () => connector.query('true'),
): LockPlace {
  const { host } = connector;
  const folder = `'${path.replaceAll("'", '')}'`;
  const read = ({ exit, stdout, stderr }: Answer) => {
    if (exit !== 0) throw fail('LOCK_UNWRITABLE', { host, path, reason: stderr.trim() || `exit code ${exit}` });
    const [words = '', ...rest] = stdout.split('\n');
    const [verdict = '', number = '0'] = words.split(' ');
    return { verdict, fence: Number(number), holder: parseHolder(rest.join('\n')) };
  };
  // By looks, which are cheap and travel together: what is done twice here does no harm. Only taking it is not so.
  const look = async (script: string) => read(await connector.query(`${enter(folder)}\n${script}`));
  const take = async (wish: Ask): Promise<Taken> => {
    const stdin = JSON.stringify(wish.holder);
    const answer = await connector.exec(`${head(folder)}\n${takeScript(wish)}`, { stdin });
    const { verdict, fence, holder } = read(answer);
    if (verdict === 'taken') return { type: 'taken', fence };
    return verdict === 'held' && holder ? { type: 'held', fence, holder } : take(wish);
  };
  return Object.freeze({
    name: host,
    reach,
    take,
    renew: async (fence: number) => {
      const { verdict, holder } = await look(
        `if [ "$(last)" = ${fence} ]; then touch -c ${fence}; echo kept; else echo lost; cat "$(last)"; fi`,
      );
      return verdict === 'lost' ? (holder ?? GONE) : undefined;
    },
    // Emptied, not removed: the next one has to get a higher number.
    release: async (fence: number, leave = false) =>
      void (await look(leave ? leaveScript(folder, fence) : `[ ! -e ${fence} ] || : > ${fence}; echo released`)),
  });
}

const head = (folder: string) => `umask 077
mkdir -p ${folder} && cd ${folder} || exit 1
${NUMBERS}`;

/** Makes nothing: what was left is not to come back by a late sign of life. */
const enter = (folder: string) => `cd ${folder} 2>/dev/null || { echo lost; exit 0; }
${NUMBERS}`;

const NUMBERS = `all() { ls | grep -E '^[0-9]+$' | sort -n; }
last() { all | tail -n 1; }`;

/** Only the last holder takes the folder away, and the folders around it that are empty now. */
const leaveScript = (folder: string, fence: number) => `if [ "$(last)" = ${fence} ]; then
  cd / && rm -rf -- ${folder} && rmdir -p -- "$(dirname ${folder})" 2>/dev/null
fi
echo released`;

const takeScript = ({ atLeast, staleMs, over = 0 }: Ask) => `was=$(last)
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
