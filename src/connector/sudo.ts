import type { Writable } from 'node:stream';
import { fail, type KubexmError } from '../common/errors/errors.ts';
import { newMarker } from './framing.ts';
import type { Transport } from './transport.ts';

/** The sudo settings for one shell. */
export interface Sudo {
  /** Password prompt, a random nonce that no other output contains. Without a prompt, sudo fails instead of asking. */
  readonly prompt?: string;
}

export const needsSudo = ({ user }: Transport, root = true): boolean => root && user !== 'root';

export const newSudo = ({ sudoPassword }: Transport): Sudo => (sudoPassword ? { prompt: newMarker() } : {});

/** Returns the command line that runs a command as root, with English messages, because `sudoFailure` matches them. */
export const sudoCommand = ({ prompt }: Sudo, command: string): string =>
  `/usr/bin/env LC_ALL=C LANGUAGE=C sudo ${prompt === undefined ? '-n' : `-S -p ${prompt}`} -- ${command}`;

/**
 * Answers the password prompt. Called with all stderr output so far. Sends the password once; a second prompt means
 * that sudo rejected it.
 */
export function promptResponder(
  { host, user, sudoPassword }: Transport,
  prompt: string,
  stdin: Writable,
  onRejected: (error: KubexmError) => void,
): (stderr: string) => void {
  let answered = false;
  return (stderr) => {
    const prompts = stderr.split(prompt).length - 1;
    if (prompts > 1) onRejected(fail('SUDO_PASSWORD_WRONG', { host, user }));
    else if (prompts === 1 && !answered && sudoPassword) {
      answered = true;
      stdin.write(`${sudoPassword.reveal()}\n`);
    }
  };
}

/**
 * Lets the first call run alone. If sudo rejects it, later calls fail with the same error, because further attempts
 * could lock the account.
 */
export function sudoGuard<T>(): (start: () => Promise<T>) => Promise<T> {
  let first: Promise<T> | undefined;
  return async (start) => {
    while (first) {
      const current = first;
      const error: unknown = await current.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) return start();
      if (isSudoRefusal(error)) throw error;
      // The call failed for another reason, so it is still unknown whether sudo works.
      if (first === current) first = undefined;
    }
    first = start();
    return first;
  };
}

/** Classifies the error output of sudo. */
export function sudoFailure({ host, user, sudoPassword }: Transport, output: string): KubexmError {
  const text = output.trim();
  if (/must have a tty/i.test(text)) return fail('SUDO_NEEDS_TTY', { host, user });
  if (/not in the sudoers|not allowed|may not run sudo/i.test(text)) {
    return fail('SUDO_NOT_ALLOWED', { host, user, reason: lastLine(text) });
  }
  if (/incorrect password|try again/i.test(text)) return fail('SUDO_PASSWORD_WRONG', { host, user });
  if (/password is required|no password was provided|terminal is required/i.test(text)) {
    return fail(sudoPassword === undefined ? 'SUDO_PASSWORD_MISSING' : 'SUDO_PASSWORD_WRONG', { host, user });
  }
  if (/sudo.*(not found|no such file)/i.test(text)) return fail('SUDO_MISSING', { host, user });
  return fail('SUDO_NOT_ALLOWED', { host, user, reason: lastLine(text) || 'nothing' });
}

const isSudoRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SUDO_');

const lastLine = (text: string) => text.split('\n').at(-1) ?? '';
