import { MASK, Secret, withoutCredentials } from '../../common/secret.ts';

/** The source of a secret. The value is read only when it is needed. */
export type SecretSource =
  | { readonly type: 'value'; readonly value: Secret }
  | { readonly type: 'env'; readonly name: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'exec'; readonly command: string };

type Written = string | { readonly env: string } | { readonly file: string } | { readonly exec: string };

export function toSecretSource(written: Written): SecretSource {
  if (typeof written === 'string') return { type: 'value', value: new Secret(written) };
  if ('env' in written) return { type: 'env', name: written.env };
  if ('file' in written) return { type: 'file', path: written.file };
  return { type: 'exec', command: written.exec };
}

/** Converts a source back to its form in the cluster file. `show` reveals or masks a literal value. */
export function writeSecretSource(source: SecretSource, show: (secret: Secret) => string): Written {
  switch (source.type) {
    case 'value':
      return show(source.value);
    case 'env':
      return { env: source.name };
    case 'file':
      return { file: source.path };
    case 'exec':
      return { exec: source.command };
  }
}

/** Returns whether a field of the cluster file contains a secret, which is never shown. */
export const isSecretKey = (key: string) => SECRET_KEYS.has(key);

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'password',
  'privateKey',
  'passphrase',
  'sudoPassword',
  'adminPassword',
  'ageIdentity',
]);

/**
 * Masks secrets in free-form values such as Helm values: credentials in URLs, and values whose key looks like the name
 * of a secret.
 */
export function maskSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SECRET_WORD.test(key) && value !== '' ? MASK : withoutCredentials(value);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskSecrets(each, name)]));
}

const SECRET_WORD = /^(.*[a-z_-])?(password|passwd|secret|token|api_?key)$/i;
