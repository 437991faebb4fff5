import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecretMatcher } from '../../../src/common/secret-matcher.ts';
import { masked, Secret, withoutCredentials } from '../../../src/common/secret.ts';

const newSecret = (value: string) => new Secret(value).reveal();

it.each([4, 5, 6, 7, 8])('masks a secret of %i characters', (length) => {
  const secret = newSecret(randomBytes(8).toString('hex').slice(0, length));
  expect(masked(`password ${secret}!`)).toBe('password •••!');
});

it('does not mask parts of words because of a secret of 3 characters', () => {
  newSecret('qzx');
  expect(masked('qzx')).toBe('qzx');
});

it('masks all of a secret that contains another one', () => {
  const inner = newSecret('Kq7vWm');
  const outer = newSecret('Kq7vWmZz91');
  const around = newSecret('AA_Kq7vWm_BB');
  expect(masked(`${outer} ${inner} ${around}`)).toBe('••• ••• •••');
});

it('masks overlapping secrets completely', () => {
  newSecret('overlapFirst');
  newSecret('FirstSecond');
  expect(masked('<overlapFirstSecond>')).toBe('<•••>');
});

it('masks each line of a private key and its base64, but not the PEM header', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = newSecret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const [header = '', first = '', second = '', third = ''] = pem.split('\n');
  expect(masked(pem)).toBe(`${header}\n•••\n•••\n•••\n-----END PRIVATE KEY-----\n`);
  for (const line of [first, second, third]) expect(masked(`> ${line}`)).toBe('> •••');
  const kubeconfig = `client-key-data: ${Buffer.from(pem).toString('base64')}`;
  expect(masked(kubeconfig)).toMatch(/^client-key-data: •••=*$/);
});

it('masks the credentials of every URL in a text, whatever the password contains', () => {
  expect(withoutCredentials('from http://a:b@one/x to https://c:p@ssword@two:5000/y')).toBe(
    'from http://•••@one/x to https://•••@two:5000/y',
  );
  expect(withoutCredentials('https://host/a@b')).toBe('https://host/a@b');
});

it('finds the same words as a search for each of them', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), text, (words, where) => {
      const matcher = createSecretMatcher();
      for (const each of words) matcher.add(each);
      const covered = Array.from(where, () => false);
      for (const each of words)
        for (let at = where.indexOf(each); at >= 0; at = where.indexOf(each, at + 1))
          covered.fill(true, at, at + each.length);
      const visible = where
        .split('')
        .filter((_, index) => !covered[index])
        .join('');
      expect(matcher.replace(where, '*').replaceAll('*', '')).toBe(visible);
    }),
  );
});

it('takes the same time per line with 7,000 secrets as with a few', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `node${index} etcd.start  started after ${index} ms`);
  const matcher = createSecretMatcher();
  for (let index = 0; index < 7000; index++) matcher.add(`MHcCAQEEI${randomBytes(40).toString('base64')}`);
  const start = performance.now();
  for (const line of lines) matcher.replace(line, '*');
  // About 10 ms; a search for each secret takes more than 10 s.
  expect(performance.now() - start).toBeLessThan(2000);
});
