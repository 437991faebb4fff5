import { expandRange } from '../value/role-groups.ts';

/** Extends `node[1:3]` by node4 to `node[1:4]`. Returns undefined if the name does not continue the range. */
export function extendRange(entry: string, name: string): string | undefined {
  const range = readRange(entry);
  if (!range) return undefined;
  const longer = range.write(range.first, range.last + 1);
  return sameNames(namesOf(longer), [...namesOf(entry), name]) ? longer : undefined;
}

/** Removes names from an entry: `node[1:5]` without node3 becomes `node[1:2]` and `node[4:5]`. */
export function withoutNames(entry: string, removed: ReadonlySet<string>): readonly string[] {
  const names = namesOf(entry);
  const range = readRange(entry);
  if (!range) return names.filter((name) => !removed.has(name));
  const parts: string[] = [];
  for (let index = 0; index < names.length; index++) {
    if (removed.has(names[index]!)) continue;
    const first = index;
    while (index + 1 < names.length && !removed.has(names[index + 1]!)) index++;
    parts.push(first === index ? names[first]! : range.write(range.first + first, range.first + index));
  }
  return parts;
}

export function namesOf(entry: string): readonly string[] {
  const range = expandRange(entry);
  return range.type === 'names' ? range.names : [];
}

/** A range whose numbers can be replaced without changing spaces and the separator. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly write: (first: number, last: number) => string;
}

function readRange(entry: string): Range | undefined {
  const [, open, from = '', separator, to = '', close] = RANGE.exec(entry) ?? [];
  if (open === undefined) return undefined;
  const width = from.startsWith('0') ? from.length : 0;
  const digits = (number: number) => String(number).padStart(width, '0');
  const write = (first: number, last: number) => `${open}${digits(first)}${separator}${digits(last)}${close}`;
  return { first: Number(from), last: Number(to), write };
}

const RANGE = /^([^[\]]*\[\s*)(\d+)(\s*[:-]\s*)(\d+)(\s*\][^[\]]*)$/;

const sameNames = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, index) => name === other[index]);
