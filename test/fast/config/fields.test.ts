import { describe, expect, it } from 'vitest';
import { fieldRows } from '../../../src/cli/reference/fields.ts';
import { clusterJsonSchema } from '../../../src/config/schema/json-schema.ts';
import { check, fixture, lines } from './check.ts';
import { fieldCases } from './field-cases.ts';

const full = fixture('full.yaml');
const plain = (path: string) =>
  path.replaceAll(/\[\d+\]/g, '[]').replace(/^(registry\.auths|artifacts\.overrides)\.[^.]+\./, '$1.*.');

it('has a case for every field of the schema', () => {
  const covered = new Set(fieldCases.map(([path]) => plain(path.replaceAll(/\["([^"]+)"\]/g, '.*'))));
  const fields = fieldRows(clusterJsonSchema()).map(({ path }) => path.replace(/^spec\./, ''));
  expect(fields.filter((path) => !covered.has(path) && path !== 'spec')).toEqual([]);
});

const rows = fieldCases.map(([path, good, expected, bad, message, ...more]) => ({
  path,
  good,
  expected,
  bad,
  message,
  more,
}));

describe.each(rows)('$path', ({ path, good, expected, bad, message, more }) => {
  it(`accepts ${good}`, () => {
    const checked = check(full, [...more, `${path}=${good}`]);
    expect(lines(checked)).toEqual([]);
    expect(valueAt(checked.file, path)).toEqual(expected);
  });

  it(`rejects ${bad}`, () => {
    const found = lines(check(full, [...more, `${path}=${bad}`]));
    expect(found.join('\n')).toContain(message);
    expect(found[0]).toMatch(/^-e /);
  });
});

function valueAt(file: unknown, path: string): unknown {
  const keys = path.split(/[.[\]"]+/).filter(Boolean);
  const words = ['apiVersion', 'kind', 'metadata'].includes(keys[0]!) ? keys : ['spec', ...keys];
  const joined = words.join('.').replace('registry.example.com', '@host').split('.');
  return joined.reduce<unknown>((at, key) => Object(at)[key === '@host' ? 'registry.example.com' : key], file);
}
