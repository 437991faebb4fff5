import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalog } from '../../../../src/common/errors/catalog.ts';

const folder = 'src/common/errors';
const codes = readdirSync(folder).flatMap((name) =>
  [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^ {2}([A-Z_0-9]+): entry\b/gm)].map((match) =>
    String(match[1]),
  ),
);

it('has unique codes', () => {
  expect(codes).toHaveLength(new Set(codes).size);
  expect(new Set(codes)).toEqual(new Set(Object.keys(catalog)));
});
