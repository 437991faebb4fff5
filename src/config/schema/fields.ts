import { isIP, isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isCidr, isDnsLabel, isDnsName } from '../value/address.ts';
import { directoryProblem, normalizeDirectory } from '../value/directory.ts';
import { parseDuration } from '../value/time.ts';
import { MASK } from '../../common/secret.ts';
import { toSecretSource } from '../model/secrets.ts';

/** Returns a schema for text with a format. `expected` completes "must be …"; `known` lists values for suggestions. */
export const formatted = (expected: string, test: (text: string) => boolean, known?: () => readonly string[]) =>
  z.string().refine(test, { error: `must be ${expected}`, params: { known } });

export const text = () => z.string().min(1, { error: 'must not be empty' });
export const flag = (value: boolean) => z.boolean().default(value);
export const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER) => z.int().min(min).max(max);
export const port = () => whole(1, 65_535);
export const choice = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);
/** Returns a schema for a choice in which an empty string means none. */
export const choiceOrNone = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(['', ...values]).default('');

export const dnsLabel = () => formatted('a DNS label: a-z, 0-9 and -, at most 63 characters', isDnsLabel);
export const dnsName = () => formatted('a DNS name: a-z, 0-9, - and dots', isDnsName);
export const ip = () => formatted('an IP address', (value) => isIP(value) !== 0);
export const ipOrName = () =>
  formatted('an IP address or a DNS name', (value) => isIP(value) !== 0 || isDnsName(value));
export const ipOrEmpty = () => formatted('an IP address, or empty', (value) => value === '' || isIP(value) !== 0);
export const hostPort = () => formatted('host or host:port', (value) => isHostPort(value));
export const url = () => formatted('an http or https URL', (value) => isHttpUrl(value));
export const absolutePath = () =>
  formatted('an absolute path', (value) => /^\/(?!.*\/\.\.(\/|$))/.test(value) && isOneLine(value));
/** Returns a schema for a component data directory. kubexm deletes its contents when the cluster is deleted. */
export const dataDirectory = () =>
  z
    .string()
    .refine((value) => directoryProblem(value) === undefined, {
      error: ({ input }) => directoryProblem(String(input)) ?? '',
    })
    .overwrite(normalizeDirectory);
export const version = () => formatted('a version such as v1.2.3', (value) => VERSION.test(value)).transform(withoutV);
export const sha256 = () => formatted('a SHA-256 checksum: 64 hex digits', (value) => /^[0-9a-f]{64}$/i.test(value));
export const duration = () =>
  z
    .union([z.string(), z.number()], { error: 'must be a duration such as 30s or 2m' })
    .refine((value) => parseDuration(value) !== undefined, { error: 'must be a duration such as 30s or 2m' })
    .transform((value) => parseDuration(value) ?? 0);

/** Returns a schema for one IP address, or for an IPv4 and an IPv6 address separated by a comma. */
export const addressPair = () =>
  formatted('an IP address, or an IPv4 and an IPv6 address separated by a comma', (value) =>
    isPair(value, (part) => isIP(part)),
  );
export const cidrPair = () =>
  formatted('a CIDR such as 10.233.0.0/18, or an IPv4 and an IPv6 CIDR separated by a comma', (value) =>
    isPair(value, (part) => (isCidr(part) ? (part.includes(':') ? 6 : 4) : 0)),
  );

/** Returns a schema for a switch: `true`, or `{enabled: true}` as in other tools. */
export const toggle = () => optionalToggle().default(false);

/** Returns a schema for a switch whose default depends on other fields. */
export const optionalToggle = () =>
  z
    .union([z.boolean(), z.strictObject({ enabled: z.boolean() })], { error: 'must be true, false or {enabled: true}' })
    .transform((value) => (typeof value === 'boolean' ? value : value.enabled));

/** Returns a schema for a secret: a reference or, less securely, a literal value. */
export const secret = () =>
  z
    .union(
      [
        z
          .string()
          .min(1, { error: 'must not be empty' })
          .refine((value) => value !== MASK, { error: 'is a masked value, not the secret itself' }),
        z.strictObject({ env: text() }),
        z.strictObject({ file: text() }),
        z.strictObject({ exec: text() }),
      ],
      { error: 'must be a string, {env: NAME}, {file: path} or {exec: command}' },
    )
    .transform(toSecretSource);

/** Returns a schema for a secret that must be a reference. */
export const secretReference = () =>
  z
    .union([z.strictObject({ env: text() }), z.strictObject({ file: text() }), z.strictObject({ exec: text() })], {
      error: 'must be {env: NAME}, {file: path} or {exec: command}',
    })
    .transform(toSecretSource);

export const free = () => z.record(z.string(), z.unknown()).default({});

/** Returns a schema for component flags, by name without leading dashes. */
export const extraArgs = () =>
  z
    .record(
      formatted('a flag without leading dashes, such as v or max-requests-inflight', (name) =>
        /^[a-z0-9][a-z0-9-]*$/i.test(name),
      ),
      z
        .union([z.string(), z.number(), z.boolean()], { error: 'must be a string, a number or a boolean' })
        .transform(String)
        .refine(isOneLine, { error: 'must not contain line breaks or other control characters' }),
    )
    .default({});

const VERSION = /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const withoutV = (value: string) => value.replace(/^v/, '');

/**
 * Returns whether a text has no control characters. In unit files and environment files, a line break would start a new
 * setting.
 */
function isOneLine(value: string): boolean {
  return !/\p{Cc}/u.test(value);
}

function isPair(value: string, familyOf: (part: string) => number): boolean {
  const families = value.split(',').map((part) => familyOf(part.trim()));
  return families.length <= 2 && !families.includes(0) && new Set(families).size === families.length;
}

function isHostPort(value: string): boolean {
  const [, bracketed, plain, at] = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d+))?$/.exec(value) ?? [];
  const host = bracketed ? isIPv6(bracketed) : Boolean(plain && (isIPv4(plain) || isDnsName(plain)));
  return host && (at === undefined || (Number(at) > 0 && Number(at) < 65_536));
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^\s/]/.test(value) && URL.canParse(value);
}
