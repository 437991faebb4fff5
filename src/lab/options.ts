import { fail } from '../common/errors/errors.ts';
import { checkLabName } from './names.ts';

/** What a lab is made with. */
export interface LabOptions {
  readonly name: string;
  readonly machines: number;
  /** Who logs in. */
  readonly user: string;
  readonly port: number;
  /** Kinds of keys, one of each is made. */
  readonly keyTypes: readonly KeyType[];
  /** Makes one more key, protected with this. */
  readonly passphrase?: string;
  /** Lets the user log in with a password, too. */
  readonly password?: string;
  /** Makes sudo ask for a password. */
  readonly sudoPassword?: string;
  /** Puts an extra machine in front: the others accept SSH only from it. */
  readonly jump: boolean;
  /** Size of an extra disk, `1G`. */
  readonly disk?: string;
  readonly shell: string;
  /** Text that greets at login and before each command. */
  readonly banner?: string;
}

export const KEY_TYPES = ['ed25519', 'rsa', 'ecdsa'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Fills in what was left out, and refuses what cannot be. */
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
  check('--shell', options.shell, /^\/[\w./-]+$/.test(options.shell), 'the full path of a program');
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

/** The kinds of keys that a comma separated list names. */
export function keyTypesIn(text: string): readonly KeyType[] {
  const names = text.split(',').map((name) => name.trim());
  const types = KEY_TYPES.filter((type) => names.includes(type));
  check('--key-types', text, types.length === names.length, `some of ${KEY_TYPES.join(', ')}`);
  return names.flatMap((name) => types.filter((type) => type === name));
}

/** How two sets of options differ, told from the first one's side. */
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
  const tell = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
  return keys
    .filter((key) => JSON.stringify(present[key]) !== JSON.stringify(wanted[key]))
    .map((key) =>
      SECRETS.has(key) ? `${key} is another one` : `${key} is ${tell(present[key])}, not ${tell(wanted[key])}`,
    )
    .join(', ');
}

/** The names of the machines of a lab, a jump host first. */
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

function check(option: string, value: unknown, good: boolean, wanted: string): void {
  if (!good) throw fail('LAB_OPTION_INVALID', { option, value: String(value), wanted });
}
