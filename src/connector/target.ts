import type { Secret } from '../common/secret.ts';

/** How one host is reached over SSH. */
export interface Target {
  /** Name of the host, for messages. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password?: Secret | undefined;
  /** The private key itself (PEM or OpenSSH). */
  readonly privateKey?: Secret | undefined;
  readonly privateKeyPath?: string | undefined;
  readonly passphrase?: Secret | undefined;
  /** The same as the password if not given. */
  readonly sudoPassword?: Secret | undefined;
  /** The agent's socket; true for the one of SSH_AUTH_SOCK. Without any credential the agent is asked, too. */
  readonly agent?: boolean | string | undefined;
  /** Goes through this host first. */
  readonly jump?: Target | undefined;
  /** How long to try to connect, again and again. */
  readonly timeoutMs: number;
  /** Pins the host key: "ssh-ed25519 AAAA…" or "SHA256:…". */
  readonly hostKey?: string | undefined;
}

/** Where a target is, as known_hosts files write it. */
export const knownHostsName = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  port === 22 ? address : `[${address}]:${port}`;

/** Where a target is, for people. */
export const endpointOf = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
