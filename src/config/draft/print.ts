import { stringify } from 'yaml';
import type { Secret } from '../../common/secret.ts';
import { maskSecrets, writeSecretSource, type SecretSource } from '../model/secrets.ts';
import type { ClusterFile, Spec } from '../schema/cluster.ts';
import { formatDuration } from '../value/time.ts';

/** Prints a cluster file as YAML with all defaults. Masks secrets, including those in URLs, unless `show` is true. */
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
  return stringify(show ? written : maskSecrets(written), { lineWidth: 0, aliasDuplicateObjects: false });
}

type Write = (source: SecretSource | undefined) => unknown;

const writeHost = (host: Spec['hosts'][number], write: Write) => ({
  ...host,
  ...(typeof host.jump === 'object' && {
    jump: {
      ...host.jump,
      password: write(host.jump.password),
      privateKey: write(host.jump.privateKey),
      passphrase: write(host.jump.passphrase),
    },
  }),
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
