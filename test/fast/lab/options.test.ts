import { describe, expect, test } from 'vitest';
import { differences, keyTypesIn, labOptions, machineNames } from '../../../src/lab/options.ts';

describe('labOptions', () => {
  test('applies defaults', () => {
    expect(labOptions({ name: 'demo' })).toMatchObject({ machines: 3, user: 'root', port: 22, keyTypes: ['ed25519'] });
  });

  test.each([
    { machines: 0 },
    { machines: 1.5 },
    { port: 0 },
    { user: 'a b' },
    { user: 'x; reboot' },
    { shell: 'csh' },
    { disk: '1 GB' },
    { passphrase: 'abc' },
    { password: 'two\nlines' },
  ])('rejects %j', (given) => {
    expect(() => labOptions(given)).toThrow('Expected ');
  });
});

test('keyTypesIn keeps the order and rejects unknown types', () => {
  expect(keyTypesIn('rsa, ed25519')).toEqual(['rsa', 'ed25519']);
  expect(() => keyTypesIn('ed25519,dsa')).toThrow('some of ed25519, rsa, ecdsa');
});

test('differences do not reveal secrets', () => {
  const present = labOptions({ machines: 3, password: 'one' });
  const wanted = labOptions({ machines: 5, password: 'two', disk: '1G' });
  expect(differences(present, wanted)).toBe('machines is 3, not 5, password differs, disk is not set, not "1G"');
  expect(differences(present, present)).toBe('');
});

test('the jump host comes first', () => {
  expect(machineNames({ machines: 2, jump: true })).toEqual(['jump', 'node1', 'node2']);
});
