import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { check, fixture, lines } from './check.ts';

it('explains every mistake in the sample of the requirement documents', async () => {
  const checked = check(fixture('seed-sample.yaml'));
  const text = checked.diagnostics
    .map(({ severity, place, path, message }) => `${severity} ${place} ${path} ${message}`)
    .join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot('../../golden/seed-sample.txt');
  expect(lines(checked)).toHaveLength(20);
});

describe.each(readdirSync('examples').filter((name) => name.endsWith('.yaml')))('examples/%s', (name) => {
  const text = readFileSync(`examples/${name}`, 'utf8');

  it('loads without an error', () => expect(lines(check(text))).toEqual([]));

  it('loads to the recorded cluster', async () => {
    await expect(`${JSON.stringify(check(text).cluster, null, 2)}\n`).toMatchFileSnapshot(
      `../../golden/examples/${name}.json`,
    );
  });

  it('names the JSON Schema in its first line, unless it is a KubeKey file', () => {
    const [first] = text.split('\n');
    if (text.includes('apiVersion: kubekey')) expect(first).not.toContain('$schema');
    else expect(first).toBe('# yaml-language-server: $schema=../schema/cluster.schema.json');
  });
});
