import { randomUUID } from 'node:crypto';
import { quote } from './quote.ts';

/** A script to run under the supervisor, or to reattach to after a connection loss. */
export interface SupervisedScript {
  /** Name of the state folder, unique for each run of the script. */
  readonly id: string;
  readonly marker: string;
  readonly script: string;
  readonly stdin: string | undefined;
  readonly asRoot: boolean;
  /** Directories for the state of scripts that run as root. */
  readonly rootFolders: readonly string[];
  /** Whether the script was seen running. If its folder is missing, the script must not be started again. */
  readonly started: boolean;
  /** Whether the script was sent before without a response, so that a slow shell may still start that copy. */
  readonly mayBeStarting: boolean;
  /** Bytes of output received so far. */
  readonly received: { readonly stdout: number; readonly stderr: number };
  /** Removes the folders of scripts older than a week. */
  readonly sweep: boolean;
}

export const newScriptId = (group: string | undefined): string =>
  (group === undefined ? '' : `${group}~`) + randomUUID();

/**
 * Starts a script in its own session and reports its output. Reads commands from stdin: `more` requests new output,
 * `done` ends the supervision, `stop` kills the script. Only the process that creates the folder starts the script, so
 * it cannot start twice. If sent again after a connection loss, it only reattaches.
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
    // Keeps the empty folder if an earlier copy may still be starting, because that copy would run the script again.
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

// Uses the second folder if the disk of the first one is full or read-only.
const folders = ({ id, asRoot, rootFolders }: SupervisedScript) =>
  asRoot
    ? rootFolders.map((folder) => quote(`${folder}/${id}`)).join(' ')
    : `"$HOME/.cache/kubexm/run/${id}" /tmp/kubexm-run-${id}`;

const claim = ({ sweep, rootFolders }: SupervisedScript) =>
  [
    ...(sweep ? rootFolders.slice(0, 1).map(sweepFolder) : []),
    'for c in "$@"; do',
    // Uses a subshell, because the umask must not affect the script.
    '  [ -d "${c%/*}" ] || (umask 077; mkdir -p "${c%/*}") 2>/dev/null',
    '  if mkdir -m 700 "$c" 2>/dev/null; then',
    // Reserves a disk block for the exit code, in case the disk fills up.
    `    if (printf '%4096s' '' >"$c/room"; echo "$boot" >"$c/boot") 2>/dev/null; then d=$c; new=1; break; fi`,
    '    rm -rf "$c"',
    '  elif [ -d "$c" ]; then d=$c; break',
    '  fi',
    'done',
    'if [ -z "$d" ]; then echo "$mark lost folder"; exit; fi',
  ].join('\n');

// Uses a pipe instead of a here-document, which bash may write to a file in /tmp, because the script may contain
// secrets.
const start = ({ stdin, script, marker }: SupervisedScript) => {
  const text = `${script}\n#${marker}`;
  const input = stdin === undefined ? '' : `; printf %s ${quote(Buffer.from(stdin).toString('base64'))} | base64 -d`;
  return (
    `{ printf %s ${quote(text)}${input}; } | ` +
    `setsid /bin/sh -c '${supervisor(stdin === undefined)}' kubexm "$d" ${Buffer.byteLength(text)} ${marker} ` +
    '>>"$d/out" 2>>"$d/err" 4<&- &'
  );
};

// Runs the script only if it arrived completely.
const supervisor = (noInput: boolean) => `d=$1; echo $$ >"$d/pid"
s=$(head -c $2); case $s in *"#$3") ;; *) kill -KILL $$;; esac
(unset d; set --; eval "unset s
$s")${noInput ? ' </dev/null' : ''}; rc=$?
: >"$d/room"; echo $rc >"$d/exit"; exit $rc`;

/** Number of bytes that the host keeps from the start and from the end of the output. */
const KEPT = 4 * 1024 * 1024;
const MAX_SPOOL = 4 * KEPT;

// Frees disk space in the middle of large output while the script runs, with a hole in the file. A hole does not change
// offsets and does not lose concurrent writes. If the file system does not support holes, the output is only skipped.
const LIMIT_OUTPUT = `while sleep 1 && kill -0 $2; do
  for f in "$1/out" "$1/err"; do
    z=$(stat -c %s "$f"); [ "$z" -gt ${MAX_SPOOL} ] || continue
    c=$(((z - ${KEPT}) / 4096 * 4096))
    echo $c >"$f.new" && mv "$f.new" "$f.cut" && fallocate -p -o ${KEPT} -l $((c - ${KEPT})) "$f"
  done
done`;

const PIECE = 1024 * 1024;

const FOLLOW = `echo "$mark started $new"
pid=
part() { tail -c +$((n + 1)) "$f" | head -c $z; }
cut_at() { c=0; [ ! -e "$f.cut" ] || read -r c <"$f.cut"; }
# send NAME OFFSET SIZE: prints what follows the offset, and sets n to the new one.
send() {
  f=$d/$1; n=$2
  while [ "$3" -gt $n ]; do
    z=$(($3 - n))
    if [ $n -lt ${KEPT} ]; then
      [ $((n + z)) -le ${KEPT} ] || z=$((${KEPT} - n))
      part
    else
      cut_at
      if [ $n -lt $c ]; then echo "$mark cut $((c - n))"; n=$c; continue; fi
      [ $z -le ${PIECE} ] || z=${PIECE}
      # The copy is valid only if it was not cut meanwhile.
      if part 2>/dev/null >"$d/piece"; then cut_at; [ $n -ge $c ] || continue; cat "$d/piece"; else part; fi
    fi
    n=$((n + z))
  done
}
# Only scripts with much output, or that nobody follows any more, need a process that limits it.
limit() {
  [ -n "$pid" ] || [ ! -s "$d/pid" ] || read -r pid <"$d/pid"
  [ -n "$pid" ] && [ ! -e "$d/exit" ] && mkdir "$d/limit" 2>/dev/null || return
  setsid /bin/sh -c '${LIMIT_OUTPUT}' kubexm "$d" "$pid" </dev/null >/dev/null 2>&1 4<&- &
}
flush() {
  [ -s "$d/out" ] || [ -s "$d/err" ] || return
  set -- $(stat -c %s "$d/out" "$d/err" 2>/dev/null) 0 0
  [ $(($1 + $2)) -le ${KEPT} ] || limit
  send out $o "$1"; o=$n
  { send err $e "$2"; } >&2; e=$n
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
    bye) limit; break;;
  esac
done`;

/** Parent folders of the state folders of scripts that run as root. */
export const ROOT_FOLDERS = ['/var/lib/kubexm/run', '/run/kubexm/run'] as const;

const sweepFolder = (folder: string) =>
  // Earlier versions created the parent folder readable by all users.
  `${folder === ROOT_FOLDERS[0] ? 'chmod 700 /var/lib/kubexm 2>/dev/null; ' : ''}(find ${quote(folder)} -mindepth 1 -maxdepth 1 -type d -mtime +7 -exec rm -rf {} + >/dev/null 2>&1 &)`;
