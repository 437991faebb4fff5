import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { ExecOptions, ExecResult } from './connector.ts';
import { frameScanner, newMarker } from './framing.ts';
import { createSink, streamEnd, type Sink } from './output.ts';
import { isDrop, MAX_DROPS, pauseAfterDrop } from './retry-after-drop.ts';
import type { OpenShell, Shell, ShellOptions } from './shell.ts';
import { newScriptId, supervisorScript, type SupervisedScript } from './supervisor-script.ts';

/** The host access that `execSupervised` needs. */
export interface ExecHost {
  readonly host: string;
  readonly open: OpenShell;
  readonly rootFolders: readonly string[];
  asRoot(root: boolean): boolean;
  /** Returns true only for the first script of a connector. */
  shouldSweep(): boolean;
}

/**
 * Runs a script under the supervisor on the host. Reattaches to it after a connection loss, and never starts it twice.
 */
export async function execSupervised(on: ExecHost, script: string, options: ExecOptions): Promise<ExecResult> {
  const { root = true, signal, onLine } = options;
  signal?.throwIfAborted();
  const output = { stdout: createSink('stdout', onLine), stderr: createSink('stderr', onLine) };
  const run = {
    id: newScriptId(options.group),
    marker: newMarker(),
    script,
    stdin: options.stdin,
    asRoot: on.asRoot(root),
    rootFolders: on.rootFolders,
    sweep: on.shouldSweep(),
  };
  let started = false;
  let mayBeStarting = false;
  for (let drops = 0, tries = 0; ; tries++) {
    const received = { stdout: output.stdout.length(), stderr: output.stderr.length() };
    const attempt: SupervisedScript = { ...run, started, mayBeStarting, received };
    const end: End = await follow(on, attempt, options, output).catch((error: unknown) => {
      if (isDrop(error) || (signal?.aborted && tries > 0)) return DROPPED;
      throw error;
    });
    if (signal?.aborted) {
      if (end.type === 'dropped') await stopAfterDrop(on, { ...attempt, started: true, mayBeStarting: true }, options);
      throw signal.reason;
    }
    if (end.type === 'exit') return { exit: end.exit, stdout: output.stdout.text(), stderr: output.stderr.text() };
    if (end.type === 'stopped') throw fail('COMMAND_LOST', { host: on.host, reason: 'another process stopped it' });
    if (end.type === 'lost') throw fail('COMMAND_LOST', { host: on.host, reason: lossReason(end.why) });
    started ||= end.started;
    mayBeStarting ||= !end.started;
    drops = end.started ? 1 : drops + 1;
    if (drops > MAX_DROPS) {
      throw fail('CONNECTION_LOST', { host: on.host, doing: 'a command', reason: `it dropped ${drops} times` });
    }
    await pauseAfterDrop(drops);
  }
}

/** The reason why `follow` ended. */
type End =
  | { readonly type: 'exit'; readonly exit: number }
  | { readonly type: 'lost'; readonly why: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'dropped'; readonly started: boolean };

const DROPPED: End = { type: 'dropped', started: false };

interface Sinks {
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** Starts a script, or reattaches to a running script, and follows it until it ends or the connection is lost. */
async function follow(on: ExecHost, run: SupervisedScript, options: ExecOptions, sinks: Sinks): Promise<End> {
  const { root, signal } = options;
  const script = supervisorScript(run);
  const shell = await (run.started ? reopen(on, script, { root, signal }) : on.open(script, { root, signal }));
  const state: FollowState = { started: false, end: undefined, stderrDone: false };
  const polling = startPolling(shell, options.onLine ? FAST_POLL_MS : SLOW_POLL_MS);
  const stop = () => shell.stdin.write('stop\n');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    await collect(shell, run.marker, sinks, state, polling);
  } finally {
    polling.stop();
    signal?.removeEventListener('abort', stop);
    shell.stdin.end(state.end && !signal?.aborted ? 'done\n' : '');
  }
  return state.end && isOver(state) ? state.end : { type: 'dropped', started: state.started };
}

/** Waits for an unreachable host, because the script keeps running there and would be started again after a failure. */
async function reopen(on: ExecHost, script: string, options: ShellOptions): Promise<Shell> {
  const deadline = Date.now() + UNREACHABLE_MS;
  for (;;) {
    try {
      return await on.open(script, options);
    } catch (error) {
      const isUnreachable = error instanceof KubexmError && error.code === 'HOST_UNREACHABLE';
      if (!isUnreachable || Date.now() > deadline) throw error;
    }
    await sleep(RECONNECT_MS, undefined, { signal: options.signal });
  }
}

interface Polling {
  speedUp(): void;
  stop(): void;
}

/** Requests new output at regular intervals. */
function startPolling(shell: Shell, intervalMs: number): Polling {
  const poll = () => shell.stdin.write('more\n');
  let timer = setInterval(poll, intervalMs);
  return {
    speedUp() {
      clearInterval(timer);
      timer = setInterval(poll, FAST_POLL_MS);
      poll();
    },
    stop: () => clearInterval(timer),
  };
}

interface FollowState {
  started: boolean;
  end: End | undefined;
  stderrDone: boolean;
}

/** Returns whether the script is over. The exit code is final only when both streams are complete. */
const isOver = ({ end, stderrDone }: FollowState) => end !== undefined && (end.type !== 'exit' || stderrDone);

/** Collects output and updates the state until the script ends or the shell closes. */
function collect(shell: Shell, marker: string, sinks: Sinks, state: FollowState, polling: Polling): Promise<void> {
  return new Promise((resolve) => {
    const update = (change: () => void) => {
      change();
      if (isOver(state)) resolve();
    };
    pipeOutput(shell, 'stdout', marker, sinks.stdout, (text) => update(() => onFrame(text, state, polling)));
    pipeOutput(shell, 'stderr', marker, sinks.stderr, () => update(() => (state.stderrDone = true)));
    void Promise.all([streamEnd(shell.stdout), shell.closed]).then(() => resolve());
  });
}

function onFrame(text: string, state: FollowState, polling: Polling): void {
  const [word = '', value = ''] = text.split(' ');
  if (word === 'started') {
    state.started = true;
    // The shell that started the script is notified when it ends; a shell that reattached must poll.
    if (value === '') polling.speedUp();
  }
  if (word === 'exit') state.end ??= { type: 'exit', exit: Number(value) };
  if (word === 'lost') state.end ??= { type: 'lost', why: value };
  if (word === 'stopped') state.end = { type: 'stopped' };
}

/** Stops a script that was cancelled while the connection was down. */
async function stopAfterDrop(on: ExecHost, run: SupervisedScript, { root }: ExecOptions): Promise<void> {
  try {
    const shell = await on.open(supervisorScript(run), { root });
    shell.stdout.resume();
    shell.stderr.resume();
    shell.stdin.end('stop\n');
    await shell.closed;
  } catch {
    // The host is unreachable, and the caller cancelled the script and does not wait for it.
  }
}

function pipeOutput(
  shell: Shell,
  stream: 'stdout' | 'stderr',
  marker: string,
  sink: Sink,
  onFrame: (text: string) => void,
): void {
  const scan = frameScanner(marker);
  let over = false;
  shell[stream].on('data', (chunk: Buffer) => {
    const { data, frames } = scan(chunk);
    let from = 0;
    for (const { at, text } of frames) {
      if (!over) sink.write(data.subarray(from, at));
      from = at;
      if (text.startsWith('cut ')) {
        sink.skip(Number(text.slice('cut '.length)));
        continue;
      }
      // Output after the exit frame comes from background processes of the script and is dropped.
      over ||= text.startsWith('exit');
      onFrame(text);
    }
    if (!over) sink.write(data.subarray(from));
  });
}

const lossReason = (why: string) =>
  ({
    reboot: 'the host rebooted',
    killed: 'its supervisor on the host was killed',
    gone: 'its state on the host was removed',
    folder: 'the host has no writable folder for its state: all are full or read-only',
  })[why] ?? why;

const FAST_POLL_MS = 250;
const SLOW_POLL_MS = 2000;
const RECONNECT_MS = 1000;
const UNREACHABLE_MS = 120_000;
