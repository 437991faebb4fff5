import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { ExecOptions, ExecResult } from './connector.ts';
import { frameScanner, newMarker } from './framing.ts';
import { streamEnd, isDrop, MAX_DROPS, pauseAfterDrop } from './output.ts';
import type { OpenShell, Shell, ShellOptions } from './shell.ts';
import { newScriptId, supervisorScript, type SupervisedScript } from './supervisor-script.ts';

/** What one connector runs scripts with. */
export interface ExecHost {
  readonly host: string;
  readonly open: OpenShell;
  asRoot(root: boolean): boolean;
  /** True for the first script only. */
  sweeps(): boolean;
}

/** Runs a script under the supervisor of the host; over drops it is followed on, and never started twice. */
export async function execSupervised(on: ExecHost, script: string, options: ExecOptions): Promise<ExecResult> {
  const { root = true, signal, onLine } = options;
  signal?.throwIfAborted();
  const output = { stdout: sink('stdout', onLine), stderr: sink('stderr', onLine) };
  const run = {
    id: newScriptId(options.group),
    marker: newMarker(),
    script,
    stdin: options.stdin,
    asRoot: on.asRoot(root),
    sweep: on.sweeps(),
  };
  let begun = false;
  let unsure = false;
  for (let drops = 0, tries = 0; ; tries++) {
    const read = { stdout: output.stdout.length(), stderr: output.stderr.length() };
    const end: End = await follow(on, { ...run, begun, unsure, read }, options, output).catch((error: unknown) => {
      if (isDrop(error) || (signal?.aborted && tries > 0)) return DROPPED;
      throw error;
    });
    if (signal?.aborted) {
      if (end.type === 'dropped') await stopAgain(on, { ...run, begun: true, unsure: true, read }, options);
      throw signal.reason;
    }
    if (end.type === 'exit') return { exit: end.exit, stdout: output.stdout.text(), stderr: output.stderr.text() };
    if (end.type === 'stopped') throw fail('COMMAND_LOST', { host: on.host, reason: 'somebody stopped it' });
    if (end.type === 'lost') throw fail('COMMAND_LOST', { host: on.host, reason: reasonOf(end.why) });
    begun ||= end.begun;
    unsure ||= !end.begun;
    drops = end.begun ? 1 : drops + 1;
    if (drops > MAX_DROPS) {
      throw fail('CONNECTION_LOST', { host: on.host, doing: 'a command', reason: `it dropped ${drops} times` });
    }
    await pauseAfterDrop(drops);
  }
}

/** How following a script ended. */
type End =
  | { readonly type: 'exit'; readonly exit: number }
  | { readonly type: 'lost'; readonly why: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'dropped'; readonly begun: boolean };

const DROPPED: End = { type: 'dropped', begun: false };

interface Sinks {
  readonly stdout: Sink;
  readonly stderr: Sink;
}

async function follow(on: ExecHost, run: SupervisedScript, options: ExecOptions, sinks: Sinks): Promise<End> {
  const { root, signal } = options;
  const script = supervisorScript(run);
  const shell = await (run.begun ? openAgain(on, script, { root, signal }) : on.open(script, { root, signal }));
  const state: Following = { begun: false, end: undefined, stderrDone: false };
  const ask = () => shell.stdin.write('more\n');
  let asking = setInterval(ask, options.onLine ? OFTEN_MS : SELDOM_MS);
  const stop = () => shell.stdin.write('stop\n');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    await new Promise<void>((resolve) => {
      const onFrame = (text: string) => {
        const [word = '', value = ''] = text.split(' ');
        if (word === 'begun') {
          state.begun = true;
          // Who started it is told when it ends; who finds it again has to ask.
          if (value === '') {
            clearInterval(asking);
            asking = setInterval(ask, OFTEN_MS);
            ask();
          }
        }
        if (word === 'exit') state.end ??= { type: 'exit', exit: Number(value) };
        if (word === 'lost') state.end ??= { type: 'lost', why: value };
        if (word === 'stopped') state.end = { type: 'stopped' };
        if (isOver(state)) resolve();
      };
      pour(shell, 'stdout', run.marker, sinks.stdout, onFrame);
      pour(shell, 'stderr', run.marker, sinks.stderr, () => {
        state.stderrDone = true;
        if (isOver(state)) resolve();
      });
      void Promise.all([streamEnd(shell.stdout), shell.closed]).then(() => resolve());
    });
  } finally {
    clearInterval(asking);
    signal?.removeEventListener('abort', stop);
    shell.stdin.end(state.end && !signal?.aborted ? 'done\n' : '');
  }
  return state.end && isOver(state) ? state.end : { type: 'dropped', begun: state.begun };
}

/** It runs on while its host is away, and whoever were told that it failed would begin it a second time. */
async function openAgain(on: ExecHost, script: string, options: ShellOptions): Promise<Shell> {
  for (const end = Date.now() + RETURN_MS; ; await sleep(AWAY_MS, undefined, { signal: options.signal })) {
    try {
      return await on.open(script, options);
    } catch (error) {
      const away = error instanceof KubexmError && error.code === 'HOST_UNREACHABLE';
      if (!away || Date.now() > end) throw error;
    }
  }
}

interface Following {
  begun: boolean;
  end: End | undefined;
  stderrDone: boolean;
}

/** An exit code counts when all output before it is there, on both streams. */
const isOver = ({ end, stderrDone }: Following) => end !== undefined && (end.type !== 'exit' || stderrDone);

/** Ends a script that was cancelled while no connection was there. */
async function stopAgain(on: ExecHost, run: SupervisedScript, { root }: ExecOptions): Promise<void> {
  try {
    const shell = await on.open(supervisorScript(run), { root });
    shell.stdout.resume();
    shell.stderr.resume();
    shell.stdin.end('stop\n');
    await shell.closed;
  } catch {
    // The host is gone for good; whoever cancelled does not want to wait for it.
  }
}

function pour(
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
    // A program that the script left running may go on writing; that is not the output of the script.
    const end = frames.find(({ text }) => text.startsWith('exit'))?.at ?? data.length;
    if (!over) sink.write(data.subarray(0, end));
    over ||= frames.some(({ text }) => text.startsWith('exit'));
    for (const { text } of frames) onFrame(text);
  });
}

interface Sink {
  write(data: Buffer): void;
  length(): number;
  text(): string;
}

/** Collects one stream of a script and tells its lines as they come. */
function sink(stream: 'stdout' | 'stderr', onLine: ExecOptions['onLine']): Sink {
  const chunks: Buffer[] = [];
  const decoder = new StringDecoder('utf8');
  let length = 0;
  let line = '';
  return {
    write(data) {
      chunks.push(data);
      length += data.length;
      if (!onLine) return;
      const lines = (line + decoder.write(data)).split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) onLine(each, stream);
    },
    length: () => length,
    text() {
      if (onLine && line !== '') onLine(line, stream);
      line = '';
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

const reasonOf = (why: string) =>
  ({
    reboot: 'the host was rebooted in between',
    killed: 'its supervisor on the host was killed',
    gone: 'the host has no trace of it any more',
    folder: 'the host has no folder to keep it in: all of them are full or read-only',
  })[why] ?? why;

const OFTEN_MS = 250;
const SELDOM_MS = 10_000;
const AWAY_MS = 1000;
const RETURN_MS = 120_000;
