import { quote } from './quote.ts';

/** One run of a script under the supervisor, or a second look at it after a drop. */
export interface Supervised {
  /** Name of its folder, new for each run. */
  readonly id: string;
  readonly marker: string;
  readonly script: string;
  readonly stdin: string | undefined;
  readonly asRoot: boolean;
  /** It was seen running: when it is not there any more, it is not to be started again. */
  readonly begun: boolean;
  /** How much of its output has been read. */
  readonly read: { readonly stdout: number; readonly stderr: number };
  /** Removes what runs of old left behind. */
  readonly sweep: boolean;
}

/**
 * The script that starts another one in a session of its own, follows its output, and obeys words on stdin: `done` and
 * `stop` end it, any other makes it look whether the other one is still alive. Whoever makes the folder starts the
 * script, so it cannot be started twice. Sent again after a drop, it only follows.
 */
export const superviseScript = (run: Supervised): string =>
  [
    `mark=${run.marker}; d=`,
    `set -- ${folders(run)}`,
    'for c in "$@"; do [ -d "$c" ] && d=$c && break; done',
    'boot=; read -r boot </proc/sys/kernel/random/boot_id',
    'if [ -z "$d" ]; then',
    run.begun ? 'echo "$mark lost gone"; exit' : start(run),
    'else pid=',
    'fi',
    follow(run),
  ].join('\n');

// Where the disk is full, memory will do; what cannot be written to at all is passed over.
const folders = ({ id, asRoot }: Supervised) =>
  asRoot ? `${RUN_FOLDER}/${id} /run/kubexm/run/${id}` : `"$HOME/.cache/kubexm/run/${id}" /tmp/kubexm-run-${id}`;

const start = (run: Supervised) =>
  [
    ...(run.sweep ? [SWEEP] : []),
    'for c in "$@"; do',
    '  mkdir -p -m 700 "${c%/*}" 2>/dev/null',
    '  if mkdir -m 700 "$c" 2>/dev/null; then',
    // Kept free for the exit code, should the disk fill up meanwhile.
    `    if (printf '%16384s' '' >"$c/room") 2>/dev/null; then d=$c; new=1; break; fi`,
    '    rm -rf "$c"',
    '  elif [ -d "$c" ]; then d=$c; break',
    '  fi',
    'done',
    'if [ -z "$d" ]; then echo "$mark lost folder"; exit; fi',
    'if [ -n "${new-}" ]; then',
    `printf '%s\\n' "$boot" >"$d/boot"; : >"$d/out"; : >"$d/err"`,
    `${feed(run)}setsid /bin/sh -c '${SUPERVISOR}' kubexm "$d" 3<<'${run.marker}e' ${run.stdin === undefined ? '</dev/null ' : ''}>/dev/null 2>&1 &`,
    run.marker,
    run.script,
    `${run.marker}e`,
    'pid=$!',
    'fi',
  ].join('\n');

const feed = ({ stdin }: Supervised) =>
  stdin === undefined ? '' : `printf %s ${quote(Buffer.from(stdin).toString('base64'))} | base64 -d | `;

// The script comes through a pipe and stays in memory: it may hold secrets.
const SUPERVISOR = `read -r mark <&3; s=$(cat <&3); exec 3<&-; d=$1; echo $$ >"$d/pid"
(unset d mark; set --; eval "unset s
$s") >>"$d/out" 2>>"$d/err"; rc=$?
rm -f "$d/room"; echo $rc >"$d/exit"; echo "$mark exit $rc" >>"$d/out"; echo "$mark exit" >>"$d/err"`;

const follow = ({ read }: Supervised) => `n=0
until [ -n "\${pid-}" ] || [ -s "$d/pid" ] || [ $n -ge 100 ]; do sleep 0.05; n=$((n+1)); done
[ -n "\${pid-}" ] || read -r pid <"$d/pid"
echo "$mark begun"
tail -c +${read.stdout + 1} -f "$d/out" 2>/dev/null & a=$!
tail -c +${read.stderr + 1} -f "$d/err" >&2 2>/dev/null & b=$!
alive() {
  if [ -e "$d/exit" ]; then
    read -r rc <"$d/exit"
    (echo "$mark exit $rc" >>"$d/out") 2>/dev/null || echo "$mark exit $rc"
    (echo "$mark exit" >>"$d/err") 2>/dev/null || echo "$mark exit" >&2
    return
  fi
  before=; read -r before <"$d/boot"
  if [ "$before" != "$boot" ]; then echo "$mark lost reboot"
  elif ! kill -0 "$pid" 2>/dev/null && [ ! -e "$d/exit" ]; then echo "$mark lost killed"
  fi
}
stop() {
  kill -s TERM -- "-$pid" 2>/dev/null
  n=0
  while kill -s 0 -- "-$pid" 2>/dev/null && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done
  kill -s KILL -- "-$pid" 2>/dev/null
  echo "$mark stopped"
}
while read -r word; do
  case $word in
    done) rm -rf "$d"; break;;
    stop) stop; rm -rf "$d"; break;;
    *) alive;;
  esac
done
kill $a $b 2>/dev/null`;

/** Where the host keeps what it runs for root. */
export const RUN_FOLDER = '/var/lib/kubexm/run';

const SWEEP = `(find ${RUN_FOLDER} -mindepth 1 -maxdepth 1 -type d -mtime +7 -exec rm -rf {} + >/dev/null 2>&1 &)`;
