import { randomUUID } from 'node:crypto';
import { quote } from './quote.ts';

/** One run of a script under the supervisor, or a second look at it after a drop. */
export interface SupervisedScript {
  /** Name of its folder, new for each run. */
  readonly id: string;
  readonly marker: string;
  readonly script: string;
  readonly stdin: string | undefined;
  readonly asRoot: boolean;
  /** It was seen running: when it is not there any more, it is not to be started again. */
  readonly begun: boolean;
  /** It was sent before and nothing came back: it may still be on its way to a shell that is slow to start. */
  readonly unsure: boolean;
  /** How much of its output has been read. */
  readonly read: { readonly stdout: number; readonly stderr: number };
  /** Removes what runs of old left behind. */
  readonly sweep: boolean;
}

/** A name for the folder of a run. */
export const newScriptId = (family: string | undefined): string => (family === undefined ? '' : `${family}~`) + randomUUID();

/**
 * The script that starts another one in a session of its own and tells its output, on words that come through stdin:
 * `more` asks for what is new, `done` and `stop` end it. Whoever makes the folder starts the script, so it cannot be
 * started twice. Sent again after a drop, it only follows.
 */
export const supervisorScript = (run: SupervisedScript): string =>
  [
    `mark=${run.marker}; d=; new=; o=${run.read.stdout}; e=${run.read.stderr}`,
    `set -- ${folders(run)}`,
    'for c in "$@"; do [ -d "$c" ] && d=$c && break; done',
    'boot=; read -r boot </proc/sys/kernel/random/boot_id',
    'exec 4<&0',
    'if [ -z "$d" ]; then',
    run.begun ? 'mkdir -p -m 700 "$1" 2>/dev/null; echo "$mark lost gone"; exit' : claim(run),
    'fi',
    // An empty folder stays as long as a late start would be a second one.
    `forget() { rm -rf "$d"${run.unsure ? '/*' : ''}; }`,
    '{ (cat <&4; echo bye) &',
    'if [ -n "$new" ]; then',
    start(run),
    'wait $!; echo "over $?"',
    'fi',
    'wait; } 2>/dev/null | {',
    FOLLOW,
    '}',
  ].join('\n');

// Where the disk is full, memory will do; what cannot be written to at all is passed over.
const folders = ({ id, asRoot }: SupervisedScript) =>
  asRoot
    ? ROOT_FOLDERS.map((folder) => `${folder}/${id}`).join(' ')
    : `"$HOME/.cache/kubexm/run/${id}" /tmp/kubexm-run-${id}`;

const claim = ({ sweep }: SupervisedScript) =>
  [
    ...(sweep ? [SWEEP] : []),
    'for c in "$@"; do',
    '  [ -d "${c%/*}" ] || mkdir -p -m 700 "${c%/*}" 2>/dev/null',
    '  if mkdir -m 700 "$c" 2>/dev/null; then',
    // Kept free for the exit code, should the disk fill up meanwhile.
    `    if (printf '%4096s' '' >"$c/room"; echo "$boot" >"$c/boot") 2>/dev/null; then d=$c; new=1; break; fi`,
    '    rm -rf "$c"',
    '  elif [ -d "$c" ]; then d=$c; break',
    '  fi',
    'done',
    'if [ -z "$d" ]; then echo "$mark lost folder"; exit; fi',
  ].join('\n');

const start = ({ stdin, script, marker }: SupervisedScript) =>
  [
    (stdin === undefined ? '' : `printf %s ${quote(Buffer.from(stdin).toString('base64'))} | base64 -d | `) +
      `setsid /bin/sh -c '${SUPERVISOR}' kubexm "$d" 3<<'${marker}' ${stdin === undefined ? '</dev/null ' : ''}` +
      '>>"$d/out" 2>>"$d/err" 4<&- &',
    script,
    marker,
  ].join('\n');

// The script comes through a pipe and stays in memory: it may hold secrets.
const SUPERVISOR = `s=$(cat <&3); exec 3<&-; d=$1; echo $$ >"$d/pid"
(unset d; set --; eval "unset s
$s"); rc=$?
: >"$d/room"; echo $rc >"$d/exit"; exit $rc`;

const FOLLOW = `echo "$mark begun $new"
pid=
flush() {
  [ -s "$d/out" ] || [ -s "$d/err" ] || return
  set -- $(stat -c %s "$d/out" "$d/err" 2>/dev/null) 0 0
  if [ "$1" -gt $o ]; then tail -c +$((o + 1)) "$d/out" | head -c $(($1 - o)); o=$1; fi
  if [ "$2" -gt $e ]; then tail -c +$((e + 1)) "$d/err" | head -c $(($2 - e)) >&2; e=$2; fi
}
end() { flush; echo "$mark exit $1"; echo "$mark exit" >&2; }
more() {
  rc=; [ ! -e "$d/exit" ] || read -r rc <"$d/exit"
  if [ -n "$rc" ]; then end $rc; return; fi
  flush
  before=; read -r before <"$d/boot"
  if [ "$before" != "$boot" ]; then echo "$mark lost reboot"; return; fi
  # Whoever started it may be about to write down its process.
  n=0
  until [ -n "$pid" ] || [ $n -ge 100 ]; do
    [ ! -s "$d/pid" ] || read -r pid <"$d/pid"
    [ -n "$pid" ] || sleep 0.05
    n=$((n + 1))
  done
  if { [ -z "$pid" ] || ! kill -0 "$pid" 2>/dev/null; } && [ ! -e "$d/exit" ]; then echo "$mark lost killed"; fi
}
stop() {
  [ -n "$pid" ] || more >/dev/null 2>&1
  kill -s TERM -- "-$pid" 2>/dev/null
  n=0
  while kill -s 0 -- "-$pid" 2>/dev/null && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
  kill -s KILL -- "-$pid" 2>/dev/null
  echo "$mark stopped"
}
while read -r word code; do
  case $word in
    over) if [ -e "$d/exit" ] || [ $code -gt 128 ]; then more; else end $code; fi;;
    more) more;;
    stop) stop; forget; break;;
    done) forget; break;;
    bye) break;;
  esac
done`;

/** Where the host keeps what it runs for root. */
export const ROOT_FOLDERS = ['/var/lib/kubexm/run', '/run/kubexm/run'] as const;

const SWEEP = `(find ${ROOT_FOLDERS[0]} -mindepth 1 -maxdepth 1 -type d -mtime +7 -exec rm -rf {} + >/dev/null 2>&1 &)`;
