import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fail, type KubexmError } from '../common/errors/errors.ts';
import { skipUntilMarker, newMarker } from './framing.ts';
import { sealScript, shellCommand } from './shell-command.ts';
import { createShellPool, type WarmShell } from './shell-pool.ts';
import { isSudoRefusal, sudoFailure } from './sudo.ts';
import type { Channel, Transport } from './transport.ts';

/** A script that runs in `/bin/sh` on a host; its streams hold nothing that came before it. */
export interface Shell {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its exit code; undefined when the connection went away. */
  readonly closed: Promise<number | undefined>;
  close(): void;
}

/** How a shell is wanted. */
export interface ShellOptions {
  readonly root?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type OpenShell = (script: string, options: ShellOptions) => Promise<Shell>;

/**
 * Starts scripts on one host. A shell is kept ready for the next script, so that it costs neither login nor sudo. Of
 * several that need sudo the first one goes ahead: a refusal is asked for only once.
 */
export function shellOpener(to: Transport, onBoot: (id: string | undefined) => void): OpenShell {
  const transport: ShellHost = { ...to, onBoot };
  const spares = createShellPool(transport, warmUp);
  let proof: Promise<unknown> | undefined;
  const start = async (script: string, sudo: boolean, signal: AbortSignal | undefined) => {
    if (!sudo) return startShell(transport, script, sudo, signal);
    while (proof) {
      const known = proof;
      const refusal: unknown = await known.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal === undefined) return startShell(transport, script, sudo, signal);
      if (isSudoRefusal(refusal)) throw refusal;
      // The first one failed for another reason, so nothing is known yet.
      if (proof === known) proof = undefined;
    }
    const first = startShell(transport, script, sudo, signal);
    proof = first;
    return first;
  };
  return async (script, options) => {
    const sudo = needsSudo(transport, options);
    const ready = await spares.take(sudo);
    if (options.signal?.aborted) {
      ready?.shell.close();
      throw options.signal.reason;
    }
    ready?.run(script);
    const shell = ready?.shell ?? (await start(script, sudo, options.signal));
    spares.prepare(sudo);
    return shell;
  };
}

/** A transport, and who wants to know in which boot shells start. */
export interface ShellHost extends Transport {
  readonly onBoot: (id: string | undefined) => void;
}

export const needsSudo = ({ user }: Transport, { root = true }: ShellOptions): boolean => root && user !== 'root';

async function startShell(
  transport: ShellHost,
  script: string,
  sudo: boolean,
  signal: AbortSignal | undefined,
): Promise<Shell> {
  const start = startOf(transport, sudo);
  const channel = await transport.open(start.command, signal);
  channel.stdin.on('error', () => {}); // told by `closed`
  const run = () => channel.stdin.write(sealScript(script, start.marker));
  if (start.prompt === undefined) run();
  try {
    const shell = await begin(transport, channel, start.marker, start.prompt);
    if (start.prompt !== undefined) run();
    return shell;
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** Starts a shell whose script is not known yet. */
async function warmUp(transport: ShellHost, sudo: boolean): Promise<WarmShell | undefined> {
  const { marker, prompt, command } = startOf(transport, sudo);
  const channel = await transport.openIdle?.(command);
  if (!channel) return undefined;
  channel.stdin.on('error', () => {});
  const shell = await begin(transport, channel, marker, prompt).catch(() => channel.close());
  if (!shell) return undefined;
  return { shell, claim: () => channel.claim(), run: (script) => channel.stdin.write(sealScript(script, marker)) };
}

function startOf(transport: Transport, sudo: boolean) {
  const marker = newMarker();
  const prompt = sudo && transport.sudoPassword ? newMarker() : undefined;
  const command = shellCommand({ marker, ...(sudo && { sudo: prompt === undefined ? {} : { prompt } }) });
  return { marker, prompt, command };
}

/** Waits until the marker is there, and tells sudo the password when it asks. */
function begin(transport: ShellHost, channel: Channel, marker: string, prompt: string | undefined): Promise<Shell> {
  const { host, user, sudoPassword, onBoot } = transport;
  return new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    let prompted = 0;
    let begun = false;
    const timer = setTimeout(() => {
      reject(fail('SHELL_UNUSABLE', { host, user, reason: `nothing within ${BEGIN_MS / 1000} s. ${said.stderr}` }));
    }, BEGIN_MS);
    const onStderr = (text: string) => {
      said.stderr = prompt === undefined ? text : text.replaceAll(prompt, '');
      const asked = prompt === undefined ? 0 : text.split(prompt).length - 1;
      if (asked > 1) reject(fail('SUDO_PASSWORD_WRONG', { host, user }));
      else if (asked > prompted && sudoPassword) channel.stdin.write(`${sudoPassword.reveal()}\n`);
      prompted = Math.max(prompted, asked);
    };
    const stderr = channel.stderr.pipe(skipUntilMarker(marker, onStderr, () => {}));
    const stdout = channel.stdout.pipe(
      skipUntilMarker(
        marker,
        (text) => (said.stdout = text),
        (boot) => {
          clearTimeout(timer);
          begun = true;
          onBoot(boot);
          resolve({ stdin: channel.stdin, stdout, stderr, closed: channel.closed, close: () => channel.close() });
        },
      ),
    );
    void channel.closed.then(async (exit) => {
      clearTimeout(timer);
      if (exit === undefined) {
        stdout.destroy();
        stderr.destroy();
      }
      if (!begun) reject(exit === undefined ? lost(host) : await refusal(transport, stderr, said));
      return exit;
    });
  });
}

async function refusal(
  transport: Transport,
  stderr: Readable,
  said: { readonly stdout: string; readonly stderr: string },
): Promise<KubexmError> {
  await text(stderr).catch(() => '');
  if (/sudo/.test(said.stderr)) return sudoFailure(transport, said.stderr);
  const reason = `${said.stdout}\n${said.stderr}`.trim() || 'nothing';
  return fail('SHELL_UNUSABLE', { host: transport.host, user: transport.user, reason });
}

const lost = (host: string) =>
  fail('CONNECTION_LOST', { host, doing: 'the start of a command', reason: 'the host closed it' });

const BEGIN_MS = 60_000;
