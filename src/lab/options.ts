import { fail } from '../common/errors/errors.ts';
import { checkLabName } from './names.ts';

/** The options of `lab up`. */
export interface LabOptions {
  readonly name: string;
  readonly machines: number;
  /** Login user. */
  readonly user: string;
  readonly port: number;
  /** SSH key types; one key of each type is created. */
  readonly keyTypes: readonly KeyType[];
  /** Creates an additional key with this passphrase. */
  readonly passphrase?: string;
  /** Also allows password authentication. */
  readonly password?: string;
  /** Makes sudo ask for this password. */
  readonly sudoPassword?: string;
  /** Adds a jump host; the other machines accept SSH only from it. */
  readonly jump: boolean;
  /** Size of an extra disk: `1G`. */
  readonly disk?: string;
  readonly shell: string;
  /** Text printed at login and before each command. */
  readonly banner?: string;
}

export const KEY_TYPES = ['ed25519', 'rsa', 'ecdsa'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Applies the defaults and rejects invalid values. */
export function labOptions(given: Partial<LabOptions>): LabOptions {
  const options: LabOptions = { ...DEFAULTS, ...given };
  checkLabName(options.name);
  check(
    '--machines',
    options.machines,
    Number.isInteger(options.machines) && within(options.machines, 1, 200),
    'a number from 1 to 200',
  );
  check('--port', options.port, within(options.port, 1, 65535), 'a port number');
  check('--user', options.user, /^[a-z_][a-z0-9_-]{0,31}$/.test(options.user), 'a Linux user name');
  check('--shell', options.shell, /^\/[\w./-]+$/.test(options.shell), 'an absolute path');
  check('--key-types', options.keyTypes.join(','), options.keyTypes.length > 0, `some of ${KEY_TYPES.join(', ')}`);
  if (options.disk !== undefined)
    check('--disk', options.disk, /^[1-9]\d*[MG]$/.test(options.disk), 'a size such as 512M or 1G');
  if (options.passphrase !== undefined)
    check('--passphrase', '•••', options.passphrase.length > 4, 'at least 5 characters');
  for (const [key, flag] of [
    ['password', '--password'],
    ['sudoPassword', '--sudo-password'],
    ['banner', '--banner'],
  ] as const) {
    check(flag, '•••', options[key] === undefined || /^[^\n\r]+$/.test(options[key]), 'one line of text');
  }
  return Object.freeze(options);
}

/** Parses a comma-separated list of key types. */
export function keyTypesIn(text: string): readonly KeyType[] {
  const names = text.split(',').map((name) => name.trim());
  const types = KEY_TYPES.filter((type) => names.includes(type));
  check('--key-types', text, types.length === names.length, `some of ${KEY_TYPES.join(', ')}`);
  return names.flatMap((name) => types.filter((type) => type === name));
}

/** Describes how the options of an existing lab differ from the requested ones, without printing secrets. */
export function differences(present: LabOptions, wanted: LabOptions): string {
  const keys = [
    'machines',
    'user',
    'port',
    'keyTypes',
    'passphrase',
    'password',
    'sudoPassword',
    'jump',
    'disk',
    'shell',
    'banner',
  ] as const;
  const format = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
  return keys
    .filter((key) => JSON.stringify(present[key]) !== JSON.stringify(wanted[key]))
    .map((key) =>
      SECRETS.has(key) ? `${key} differs` : `${key} is ${format(present[key])}, not ${format(wanted[key])}`,
    )
    .join(', ');
}

/** The machine names of a lab, with the jump host first. */
export const machineNames = ({ machines, jump }: Pick<LabOptions, 'machines' | 'jump'>): readonly string[] => [
  ...(jump ? ['jump'] : []),
  ...Array.from({ length: machines }, (_, index) => `node${index + 1}`),
];

const DEFAULTS = {
  name: 'lab',
  machines: 3,
  user: 'root',
  port: 22,
  keyTypes: ['ed25519'],
  jump: false,
  shell: '/bin/bash',
} as const;

const SECRETS: ReadonlySet<string> = new Set(['passphrase', 'password', 'sudoPassword']);

const within = (value: number, min: number, max: number) => value >= min && value <= max;

function check(option: string, value: unknown, valid: boolean, wanted: string): void {
  if (!valid) throw fail('LAB_OPTION_INVALID', { option, value: String(value), wanted });
}
