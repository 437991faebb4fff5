import { randomUUID } from 'node:crypto';
import { quote } from './quote.ts';

/** A script to run under the supervisor, or to follow again after a drop. */
export interface SupervisedScript {
  /** Name of the folder with its state, unique per run. */
  readonly id: string;
  readonly marker: string;
  readonly script: string;
  readonly stdin: string | undefined;
  readonly asRoot: boolean;
  /** Where scripts that run as root keep their state. */
  readonly rootFolders: readonly string[];
  /** It was seen running: if its folder is gone, it must not be started again. */
  readonly started: boolean;
  /** It was sent before without a response: a slow shell may still start that copy. */
  readonly mayBeStarting: boolean;
  /** Bytes of output received so far. */
  readonly received: { readonly stdout: number; readonly stderr: number };
  /** Removes the folders of scripts older than a week. */
  readonly sweep: boolean;
}

export const newScriptId = (group: string | undefined): string =>
  (group === undefined ? '' : `${group}~`) + randomUUID();

/**
 * Starts a script in its own session and reports its output on commands from stdin: `more` requests new output, `done`
 * ends the supervision, `stop` kills the script. Whoever creates the folder starts the script, so it cannot start twice;
 * if sent again after a drop, this only reattaches to it.
 */
export const supervisorScript = (run: SupervisedScript): string =>
  [
    `mark=${run.marker}; d=; new=; o=${run.received.stdout}; e=${run.received.stderr}`,
    `set -- ${folders(run)}`,
    'for c in "$@"; do [ -d "$c" ] && d=$c && break; done',
    'boot=; read -r boot </proc/sys/kernel/random/boot_id',
    'exec 4<&0',
    'if [ -z "$d" ]; then',
    run.started ? 'mkdir -p -m 700 "$1" 2>/dev/null; echo "$mark lost gone"; exit' : claim(run),
    'fi',
    // The empty folder stays if an earlier copy may still be starting, which would otherwise run the script again.
    `remove() { rm -rf "$d"${run.mayBeStarting ? '/*' : ''}; }`,
    '{ (cat <&4; echo bye) &',
    'if [ -n "$new" ]; then',
    start(run),
    'wait $!; echo "over $?"',
    'fi',
    'wait; } 2>/dev/null | {',
    FOLLOW,
    '}',
  ].join('\n');

// The second folder is the fallback if the disk is full or read-only.
const folders = ({ id, asRoot, rootFolders }: SupervisedScript) =>
  asRoot
    ? rootFolders.map((folder) => quote(`${folder}/${id}`)).join(' ')
    : `"$HOME/.cache/kubexm/run/${id}" /tmp/kubexm-run-${id}`;

const claim = ({ sweep, rootFolders }: SupervisedScript) =>
  [
    ...(sweep ? rootFolders.slice(0, 1).map(sweepFolder) : []),
    'for c in "$@"; do',
    '  [ -d "${c%/*}" ] || mkdir -p -m 700 "${c%/*}" 2>/dev/null',
    '  if mkdir -m 700 "$c" 2>/dev/null; then',
    // Reserves a block for the exit code in case the disk fills up.
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

// The script is read from a pipe and never written to disk, because it may contain secrets.
const SUPERVISOR = `s=$(cat <&3); exec 3<&-; d=$1; echo $$ >"$d/pid"
(unset d; set --; eval "unset s
$s"); rc=$?
: >"$d/room"; echo $rc >"$d/exit"; exit $rc`;

const FOLLOW = `echo "$mark started $new"
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
  # The pid file may not be written yet.
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
    stop) stop; remove; break;;
    done) remove; break;;
    bye) break;;
  esac
done`;

/** Parent folders of the state of scripts that run as root. */
export const ROOT_FOLDERS = ['/var/lib/kubexm/run', '/run/kubexm/run'] as const;

const sweepFolder = (folder: string) =>
  `(find ${quote(folder)} -mindepth 1 -maxdepth 1 -type d -mtime +7 -exec rm -rf {} + >/dev/null 2>&1 &)`;
