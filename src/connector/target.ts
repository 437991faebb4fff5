import type { Secret } from '../common/secret.ts';

/** SSH connection settings for one host. */
export interface Target {
  /** Host name in messages. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password?: Secret | undefined;
  /** Content of the private key (PEM or OpenSSH format). */
  readonly privateKey?: Secret | undefined;
  readonly privateKeyPath?: string | undefined;
  readonly passphrase?: Secret | undefined;
  /** Defaults to the password. */
  readonly sudoPassword?: Secret | undefined;
  /** Agent socket, or true for SSH_AUTH_SOCK. The agent is used by default if there is no other credential. */
  readonly agent?: boolean | string | undefined;
  /** Jump host. */
  readonly jump?: Target | undefined;
  /** Appended to the error message if no credential is accepted. */
  readonly loginNote?: string | undefined;
  /** How long to retry the connection. */
  readonly timeoutMs: number;
  /** Expected host key: "ssh-ed25519 AAAA…" or "SHA256:…". */
  readonly hostKey?: string | undefined;
}

/** Returns the host name in known_hosts format. */
export const knownHostsName = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  port === 22 ? address : `[${address}]:${port}`;

/** Returns "address:port" for messages. */
export const endpointOf = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
