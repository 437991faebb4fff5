import { fail, type KubexmError } from '../common/errors/errors.ts';
import type { Transport } from './transport.ts';

/** Why sudo did not start the shell, from what it said. */
export function sudoFailure({ host, user, sudoPassword }: Transport, said: string): KubexmError {
  const text = said.trim();
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

/** Whether an error says that sudo refused: asking again would only count as one more attempt. */
export const isSudoRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SUDO_');

const lastLine = (text: string) => text.split('\n').at(-1) ?? '';
