import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { KubexmError } from '../../../src/common/errors/errors.ts';
import { printClusterFile } from '../../../src/config/draft/print.ts';
import { check, fixture, lines } from './check.ts';
import { validFile } from './valid-file.ts';

it('prints any valid file so that it loads to the same cluster', () => {
  fc.assert(
    fc.property(validFile, (file) => {
      const first = check(stringify(file));
      expect(lines(first)).toEqual([]);
      const second = check(printClusterFile(first.file!, (secret) => secret.reveal()));
      expect(lines(second)).toEqual([]);
      expect(second.cluster).toEqual(first.cluster);
      expect(secretsOf(second.file)).toEqual(secretsOf(first.file));
    }),
    { numRuns: 200 },
  );
});

it('never prints a secret without `show`', () => {
  fc.assert(
    fc.property(validFile, fc.stringMatching(/^canary[a-z]{12}$/), (file, secret) => {
      const jump = `hosts[0].jump={address: 10.9.9.9, password: ${secret}, passphrase: ${secret}}`;
      const { file: loaded } = check(stringify(file), [`hosts[0].password=${secret}`, jump]);
      expect(printClusterFile(loaded!)).not.toContain(secret);
      expect(JSON.stringify(loaded)).not.toContain(secret);
    }),
    { numRuns: 50 },
  );
});

it('handles any text without an unexpected error', () => {
  const pieces = fc.constantFrom(
    ...fixture('full.yaml').split(/(?<=[\n:,[\]{}])/),
    '：',
    '\t',
    '&a ',
    '*a',
    '<<: ',
    '|\n',
    '"',
    '---\n',
    '{',
    '[',
    '\u0000',
    '!!binary x',
    '? ',
    '- ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (text) => survives(text),
    ),
    { numRuns: 1500 },
  );
});

it('handles any value in any field without an unexpected error', () => {
  const override = fc
    .tuple(fc.constantFrom(...paths), fc.json({ maxDepth: 2 }))
    .map(([path, value]) => `${path}=${value}`);
  fc.assert(
    fc.property(fc.array(override, { minLength: 1, maxLength: 4 }), (overrides) =>
      survives(fixture('full.yaml'), overrides),
    ),
    { numRuns: 1500 },
  );
});

const paths = fixture('full.yaml')
  .split('\n')
  .flatMap((line) => /^ {2}(\w+):/.exec(line)?.[1] ?? [])
  .flatMap((block) => [
    block,
    `${block}[0]`,
    `${block}.type`,
    `${block}[0].name`,
    `${block}.version`,
    `${block}[0].address`,
    `${block}.external`,
    `${block}.etcd`,
  ]);

/** Only errors of the catalog may be thrown. */
function survives(text: string, overrides: readonly string[] = []): void {
  try {
    check(text, overrides);
  } catch (error) {
    expect(error).toBeInstanceOf(KubexmError);
  }
}

const secretsOf = (
  file: { readonly spec: { readonly hosts: readonly { readonly password?: unknown }[] } } | undefined,
) => file?.spec.hosts.map(({ password }) => (isLiteral(password) ? password.value.reveal() : password));

const isLiteral = (source: unknown): source is { readonly value: { reveal(): string } } =>
  Object(source).type === 'value';
