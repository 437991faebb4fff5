import { Secret } from '../common/secret.ts';
import { quote } from '../connector/quote.ts';

/** A command line whose interpolated values are already quoted for a POSIX shell. */
export interface Command {
  readonly text: string;
  /** The command to show in messages, with secrets masked. */
  readonly display: string;
}

/** Quotes every interpolated value, so that in `sh\`rm -f ${path}\`` a file name can never become a second command. */
export function sh(
  literals: TemplateStringsArray,
  ...values: readonly (string | number | Secret | Command)[]
): Command {
  const fill = (show: (value: string | number | Secret) => string, form: 'text' | 'display') =>
    String.raw({ raw: literals.raw }, ...values.map((value) => (isCommand(value) ? value[form] : quote(show(value)))));
  return {
    text: fill((value) => (value instanceof Secret ? value.reveal() : String(value)), 'text'),
    display: fill(String, 'display'),
  };
}

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'display' in value;

/** Quotes each word of a command line. */
export const shellWords = (list: readonly string[]): Command => ({
  text: list.map((word) => sh`${word}`.text).join(' '),
  display: list.join(' '),
});

/** Options for one command. */
export interface RunOptions {
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
  /** Selects the output to report if the command fails. Defaults to the error output. */
  readonly errorOutput?: (result: { readonly stdout: string; readonly stderr: string }) => string;
}
