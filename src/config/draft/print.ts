import { stringify } from 'yaml';
import { MASK, withoutCredentials, type Secret } from '../../common/secret.ts';
import { formatDuration } from '../value/duration.ts';
import type { ClusterFile, Spec } from '../schema/cluster.ts';
import { writeSecretSource, type SecretSource } from '../model/secret-source.ts';

/**
 * The canonical YAML of a cluster file, with every default. Secrets are masked, also those in URLs and in values that are
 * handed on, unless `show` writes them out.
 */
export function printClusterFile({ spec, ...file }: ClusterFile, show?: (secret: Secret) => string): string {
  const write = (source: SecretSource | undefined) => source && writeSecretSource(source, show ?? String);
  const written = {
    ...file,
    spec: {
      ...spec,
      hosts: spec.hosts.map((host) => writeHost(host, write)),
      registry: writeRegistry(spec.registry, write),
    },
  };
  return stringify(show ? written : withoutSecrets(written), { lineWidth: 0, aliasDuplicateObjects: false });
}

type Write = (source: SecretSource | undefined) => unknown;

const writeHost = (host: Spec['hosts'][number], write: Write) => ({
  ...host,
  timeout: formatDuration(host.timeout),
  password: write(host.password),
  privateKey: write(host.privateKey),
  passphrase: write(host.passphrase),
  sudoPassword: write(host.sudoPassword),
});

const writeRegistry = (registry: Spec['registry'], write: Write) => ({
  ...registry,
  auths: Object.fromEntries(
    Object.entries(registry.auths).map(([name, auth]) => [name, { ...auth, password: write(auth.password) }]),
  ),
  harbor: { ...registry.harbor, adminPassword: write(registry.harbor.adminPassword) },
});

/** Values that are handed on may hold secrets, too: told by their keys, and by what stands before an @ in a URL. */
export function withoutSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SECRET_WORD.test(key) && value !== '' ? MASK : withoutCredentials(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each, name)]));
}

const SECRET_WORD = /^(.*[a-z_-])?(password|passwd|secret|token|api_?key)$/i;
