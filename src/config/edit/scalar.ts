import { isScalar } from 'yaml';

/** How a scalar is quoted in the cluster file. */
export type Quotes = '' | "'" | '"';

/** Returns the quotes of a scalar, so that new values can use the same style. */
export function quotesOf(node: unknown): Quotes {
  const type = isScalar(node) ? node.srcToken?.type : undefined;
  return type === 'single-quoted-scalar' ? "'" : type === 'double-quoted-scalar' ? '"' : '';
}

/** Writes a string as a YAML scalar. Omits quotes only if they are not required. */
export function writeScalar(value: string, quotes: Quotes): string {
  if (quotes === '"') return JSON.stringify(value);
  return quotes === '' && isSafe(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/** Returns whether a plain scalar is read as this string, in block style and within brackets. */
const isSafe = (value: string) =>
  /^[A-Za-z0-9~/][\w./@~-]*$/.test(value) && !KEYWORD.test(value) && Number.isNaN(Number(value));

const KEYWORD = /^(~|null|true|false|yes|no|on|off|y|n)$/i;
