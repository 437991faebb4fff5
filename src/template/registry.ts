import { stringify } from 'yaml';

/** Settings of the CNCF Distribution registry. */
export interface RegistryConfig {
  readonly port: number;
  readonly dataDir: string;
  /** Paths on the host. */
  readonly paths: { readonly certificate: string; readonly key: string; readonly passwords: string };
  readonly tls: boolean;
  /** Require a user from the password file. */
  readonly login: boolean;
  /** Allow only pulls. */
  readonly readOnly: boolean;
}

/** The text of config.yml. */
export function registryConfig({ port, dataDir, paths, tls, login, readOnly }: RegistryConfig): string {
  const config = {
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: dataDir },
      delete: { enabled: true },
      cache: { blobdescriptor: 'inmemory' },
      maintenance: {
        uploadpurging: { enabled: !readOnly, age: '168h', interval: '24h', dryrun: false },
        readonly: { enabled: readOnly },
      },
    },
    http: {
      addr: `:${port}`,
      headers: { 'X-Content-Type-Options': ['nosniff'] },
      ...(tls && { tls: { certificate: paths.certificate, key: paths.key, minimumtls: 'tls1.2' } }),
    },
    ...(login && { auth: { htpasswd: { realm: 'kubexm', path: paths.passwords } } }),
    health: { storagedriver: { enabled: true, interval: '10s', threshold: 3 } },
  };
  return `# Written by kubexm.\n${stringify(config)}`;
}
