import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalog } from './catalog.ts';

const folder = new URL('catalog/', import.meta.url);
const codes = readdirSync(folder).flatMap((name) =>
  [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^ {2}([A-Z_]+): entry\(/gm)].map((match) => match[1]),
);

it('has every code once: of two, one would hide the other', () => {
  expect(codes.toSorted()).toEqual(Object.keys(catalog).toSorted());
});
