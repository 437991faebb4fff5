import type { RegistryCredentials } from '../../../resource/oci/authenticate.ts';
import type { RegistryHost } from '../../../config/model/registry-hosts.ts';
import type { RegistryLogin } from '../../../template/registry-logins.ts';
import type { TreeFile } from '../../common/file-tree.ts';

/** Credentials and certificates by registry host. */
export type CredentialsByHost = Readonly<Record<string, RegistryCredentials>>;

/** Certificates of registries and mirrors in the common layout: HOST/ca.crt. */
export const certificateFiles = (hosts: readonly RegistryHost[], credentials: CredentialsByHost): readonly TreeFile[] =>
  namesOf(hosts).flatMap((host) => certificates(host, credentials[host] ?? {}));

/** Credentials by the server name that a runtime expects. */
export const loginsByHost = (
  hosts: readonly RegistryHost[],
  credentials: CredentialsByHost,
  nameOf: (host: string) => string = (host) => host,
): Readonly<Record<string, RegistryLogin>> =>
  Object.fromEntries(
    namesOf(hosts).flatMap((host) => {
      const login = loginOf(credentials[host]);
      return login ? [[nameOf(host), login]] : [];
    }),
  );

export const loginOf = ({ username, password }: RegistryCredentials = {}): RegistryLogin | undefined =>
  username !== undefined && password ? { username, password: password.reveal() } : undefined;

const namesOf = (hosts: readonly RegistryHost[]) => [
  ...new Set(hosts.flatMap((host) => [host, ...host.mirrors]).map(({ host }) => host)),
];

const certificates = (host: string, { ca, cert, key }: RegistryCredentials): readonly TreeFile[] => [
  ...(ca === undefined ? [] : [{ name: `${host}/ca.crt`, content: ca, secret: false }]),
  ...(cert === undefined || key === undefined
    ? []
    : [
        { name: `${host}/client.cert`, content: cert, secret: false },
        { name: `${host}/client.key`, content: key, secret: true },
      ]),
];
