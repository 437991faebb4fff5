import type { Secret } from '../common/secret.ts';

/** SSH connection settings of one host. */
export interface Target {
  /** Host name for messages. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password?: Secret | undefined;
  /** The private key itself (PEM or OpenSSH). */
  readonly privateKey?: Secret | undefined;
  readonly privateKeyPath?: string | undefined;
  readonly passphrase?: Secret | undefined;
  /** Defaults to the password. */
  readonly sudoPassword?: Secret | undefined;
  /** Agent socket, or true for SSH_AUTH_SOCK. Without any other credential the agent is used by default. */
  readonly agent?: boolean | string | undefined;
  /** Jump host. */
  readonly jump?: Target | undefined;
  /** Added to the error if no credential is accepted. */
  readonly loginNote?: string | undefined;
  /** How long to retry connecting. */
  readonly timeoutMs: number;
  /** Pins the host key: "ssh-ed25519 AAAA…" or "SHA256:…". */
  readonly hostKey?: string | undefined;
}

/** The host as written in known_hosts. */
export const knownHostsName = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  port === 22 ? address : `[${address}]:${port}`;

/** "address:port" for messages. */
export const endpointOf = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
