import { isScalar } from 'yaml';

/** How a scalar is quoted in the cluster file. */
export type Quotes = '' | "'" | '"';

/** The quotes of a scalar, so that a new value beside it can be written in the same way. */
export function quotesOf(node: unknown): Quotes {
  const type = isScalar(node) ? node.srcToken?.type : undefined;
  return type === 'single-quoted-scalar' ? "'" : type === 'double-quoted-scalar' ? '"' : '';
}

/** Writes a string as a YAML scalar; unquoted only if it needs no quotes. */
export function writeScalar(value: string, quotes: Quotes): string {
  if (quotes === '"') return JSON.stringify(value);
  return quotes === '' && isSafe(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/** Whether a plain scalar is read as this string, in block style and within brackets. */
const isSafe = (value: string) =>
  /^[A-Za-z0-9~/][\w./@~-]*$/.test(value) && !KEYWORD.test(value) && Number.isNaN(Number(value));

const KEYWORD = /^(~|null|true|false|yes|no|on|off|y|n)$/i;
