import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fail, type KubexmError } from '../common/errors.ts';
import { afterMarker, newMarker } from './marker.ts';
import { sealScript, shellCommand } from './shell-command.ts';
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

/** Starts scripts on one host. Of several that need sudo the first one goes ahead: a refusal is asked for only once. */
export function shellOpener(transport: Transport): OpenShell {
  let proof: Promise<unknown> | undefined;
  return async (script, options) => {
    if (!needsSudo(transport, options)) return startShell(transport, script, options);
    while (proof) {
      const known = proof;
      const refusal: unknown = await known.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal === undefined) return startShell(transport, script, options);
      if (isSudoRefusal(refusal)) throw refusal;
      // The first one failed for another reason, so nothing is known yet.
      if (proof === known) proof = undefined;
    }
    const first = startShell(transport, script, options);
    proof = first;
    return first;
  };
}

export const needsSudo = ({ user }: Transport, { root = true }: ShellOptions): boolean => root && user !== 'root';

async function startShell(transport: Transport, script: string, options: ShellOptions): Promise<Shell> {
  const marker = newMarker();
  const sealed = Buffer.from(sealScript(script, marker));
  const sudo = needsSudo(transport, options);
  const prompt = sudo && transport.sudoPassword ? newMarker() : undefined;
  const command = shellCommand({
    marker,
    bytes: sealed.length,
    ...(sudo && { sudo: prompt === undefined ? {} : { prompt } }),
  });
  const channel = await transport.open(command, options.signal);
  channel.stdin.on('error', () => {}); // told by `closed`
  if (prompt === undefined) channel.stdin.write(sealed);
  try {
    const shell = await begin(transport, channel, marker, prompt);
    if (prompt !== undefined) channel.stdin.write(sealed);
    return shell;
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** Waits until the marker is there, and tells sudo the password when it asks. */
function begin(transport: Transport, channel: Channel, marker: string, prompt: string | undefined): Promise<Shell> {
  const { host, user, sudoPassword } = transport;
  return new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    let prompted = 0;
    let begun = false;
    const timer = setTimeout(() => {
      reject(fail('SHELL_UNUSABLE', { host, user, reason: `nothing within ${BEGIN_MS / 1000} s. ${said.stderr}` }));
    }, BEGIN_MS);
    const onStderr = (text: string) => {
      said.stderr = text;
      const asked = prompt === undefined ? 0 : text.split(prompt).length - 1;
      if (asked > 1) reject(fail('SUDO_PASSWORD_WRONG', { host, user }));
      else if (asked > prompted && sudoPassword) channel.stdin.write(`${sudoPassword.reveal()}\n`);
      prompted = Math.max(prompted, asked);
    };
    const stderr = channel.stderr.pipe(afterMarker(marker, onStderr, () => {}));
    const stdout = channel.stdout.pipe(
      afterMarker(
        marker,
        (text) => (said.stdout = text),
        () => {
          clearTimeout(timer);
          begun = true;
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
