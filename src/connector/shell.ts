import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fail, type KubexmError } from '../common/errors/errors.ts';
import { newMarker, skipUntilMarker } from './framing.ts';
import { sealScript, shellCommand } from './shell-command.ts';
import { createShellPool } from './shell-pool.ts';
import { needsSudo, newSudo, promptResponder, sudoFailure, sudoGuard } from './sudo.ts';
import type { Channel, Parking, Transport } from './transport.ts';

/** A script running in `/bin/sh` on a host. Its streams contain only the output of the script. */
export interface Shell {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves to the exit code, or to undefined if the connection was lost. */
  readonly closed: Promise<number | undefined>;
  close(): void;
  /** Whether the shell has already run another script. */
  readonly isReused?: boolean;
  /** Keeps the shell for the next script after this script has ended; undefined if the shell exits by itself. */
  readonly keep?: (() => void) | undefined;
}

/** Options for starting a script. */
export interface ShellOptions {
  /**
   * Whether the script neither reads stdin nor changes the shell, so that the shell can run another script afterwards.
   */
  readonly reusable?: boolean | undefined;
  readonly root?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type OpenShell = (script: string, options: ShellOptions) => Promise<Shell>;

/** A transport with a listener for the boot id that every new shell reports. */
export interface ShellHost extends Transport {
  readonly onBoot: (id: string | undefined) => void;
}

/** Starts scripts on one host. Keeps a shell ready, so that the next script needs no login and no sudo. */
export function createShellOpener(to: Transport, onBoot: ShellHost['onBoot']): OpenShell {
  const transport: ShellHost = { ...to, onBoot };
  const pool = createShellPool((sudo) => startInAdvance(transport, sudo));
  const guard = sudoGuard<PooledShell>();
  const start = (script: string, sudo: boolean, { reusable, signal }: ShellOptions) => {
    const startNow = () => startShell(transport, script, sudo, { reusable, signal });
    return sudo ? guard(startNow) : startNow();
  };
  return async (script, { reusable = false, root, signal }) => {
    const sudo = needsSudo(transport, root);
    const ready = await pool.take(sudo);
    if (signal?.aborted) {
      if (ready) pool.put(sudo, ready);
      throw signal.reason;
    }
    ready?.run(script, !reusable);
    const pooled = ready ?? (await start(script, sudo, { reusable, signal }));
    if (!reusable) pool.refill(sudo);
    const keep = reusable && pooled.parking ? () => pool.put(sudo, pooled) : undefined;
    return { ...pooled.shell, isReused: ready !== undefined, keep };
  };
}

/** A started shell. */
interface PooledShell {
  readonly shell: Shell;
  readonly parking: Parking | undefined;
  run(script: string, isLast: boolean): void;
}

async function startShell(
  transport: ShellHost,
  script: string,
  sudo: boolean,
  { reusable, signal }: ShellOptions,
): Promise<PooledShell> {
  const start = newStart(transport, sudo);
  const channel = await transport.open(start.command, signal);
  channel.stdin.on('error', () => {}); // reported by `closed`
  const isLast = !reusable || channel.parking === undefined;
  // If sudo may ask for a password, it must not read the script as the password.
  if (start.prompt === undefined) send(channel, start, script, isLast);
  try {
    const shell = await awaitStart(transport, channel, start);
    if (start.prompt !== undefined) send(channel, start, script, isLast);
    return pooled(shell, channel, start);
  } catch (error) {
    channel.close();
    throw error;
  }
}

async function startInAdvance(transport: ShellHost, sudo: boolean): Promise<PooledShell | undefined> {
  const start = newStart(transport, sudo);
  const channel = await transport.openParked?.(start.command);
  if (!channel) return undefined;
  channel.stdin.on('error', () => {});
  try {
    return pooled(await awaitStart(transport, channel, start), channel, start);
  } catch {
    channel.close();
    return undefined;
  }
}

const pooled = (shell: Shell, channel: Channel, start: Start): PooledShell => ({
  shell,
  parking: channel.parking,
  run: (script, isLast) => send(channel, start, script, isLast),
});

const send = ({ stdin }: Channel, { marker }: Start, script: string, isLast: boolean) =>
  stdin.write(sealScript(script, marker, { isLast }));

interface Start {
  readonly marker: string;
  /** The sudo password prompt, if one is expected. */
  readonly prompt: string | undefined;
  readonly command: string;
}

function newStart(transport: Transport, needed: boolean): Start {
  const marker = newMarker();
  const sudo = needed ? newSudo(transport) : undefined;
  return { marker, prompt: sudo?.prompt, command: shellCommand({ marker, ...(sudo && { sudo }) }) };
}

/** Waits for the marker and answers the sudo password prompt. */
function awaitStart(transport: ShellHost, channel: Channel, { marker, prompt }: Start): Promise<Shell> {
  const { host, user, onBoot } = transport;
  return new Promise((resolve, reject) => {
    const printed = { stdout: '', stderr: '' };
    let started = false;
    const timer = setTimeout(() => {
      const reason = `nothing within ${START_MS / 1000} s. ${printed.stderr}`;
      reject(fail('SHELL_UNUSABLE', { host, user, reason }));
    }, START_MS);
    const respond = prompt === undefined ? undefined : promptResponder(transport, prompt, channel.stdin, reject);
    const onStderr = (output: string) => {
      printed.stderr = prompt === undefined ? output : output.replaceAll(prompt, '');
      respond?.(output);
    };
    const onStart = (boot: string | undefined) => {
      clearTimeout(timer);
      started = true;
      onBoot(boot);
      resolve({ stdin: channel.stdin, stdout, stderr, closed: channel.closed, close: () => channel.close() });
    };
    const stderr = channel.stderr.pipe(skipUntilMarker(marker, onStderr, () => {}));
    const stdout = channel.stdout.pipe(skipUntilMarker(marker, (output) => (printed.stdout = output), onStart));
    void channel.closed.then(async (exit) => {
      clearTimeout(timer);
      if (exit === undefined) {
        stdout.destroy();
        stderr.destroy();
      }
      if (!started) reject(exit === undefined ? connectionLost(host) : await startFailure(transport, stderr, printed));
      return exit;
    });
  });
}

async function startFailure(
  transport: Transport,
  stderr: Readable,
  printed: { readonly stdout: string; readonly stderr: string },
): Promise<KubexmError> {
  await text(stderr).catch(() => '');
  if (/sudo/.test(printed.stderr)) return sudoFailure(transport, printed.stderr);
  const reason = `${printed.stdout}\n${printed.stderr}`.trim() || 'nothing';
  return fail('SHELL_UNUSABLE', { host: transport.host, user: transport.user, reason });
}

const connectionLost = (host: string) =>
  fail('CONNECTION_LOST', { host, doing: 'the start of a command', reason: 'the host closed the connection' });

const START_MS = 60_000;
