import { withoutCredentials } from '../../common/secret.ts';

/** Escapes control characters, which could change the state of a terminal. */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Quotes a value for a message: on one short line, without control characters or credentials. */
export const quoted = (text: string) => {
  const line = withoutCredentials(printable(text.replaceAll(/\s+/g, ' ')));
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
};
