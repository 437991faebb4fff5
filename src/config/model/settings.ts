import type { SecretSource } from './secrets.ts';
import type { SECURITY_PROFILES } from '../data/choices.ts';

/** Storage classes to install. */
export interface Storage {
  readonly openebs?: { readonly basePath: string } | undefined;
  readonly nfs?: { readonly server: string; readonly path: string } | undefined;
  readonly longhorn: boolean;
  readonly localPath: boolean;
}

/** Cluster DNS. */
export interface Dns {
  readonly dnsEtcHosts: string;
  readonly coredns: {
    readonly additionalConfigs: string;
    readonly externalZones: readonly ExternalZone[];
    readonly rewriteBlock: string;
    readonly upstreamDNSServers: readonly string[];
  };
  readonly nodelocaldns: { readonly externalZones: readonly ExternalZone[] };
}

interface ExternalZone {
  readonly zones: readonly string[];
  readonly nameservers: readonly string[];
  readonly cache: number;
  readonly rewrite: readonly string[];
}

/** Additional host names and DNS servers on every host. */
export interface Extra {
  readonly hosts: readonly { readonly domain: string; readonly address: string }[];
  readonly resolves: readonly { readonly address: string }[];
}

/** Download sources for binaries and images. */
export interface Artifacts {
  readonly zone: '' | 'cn';
  readonly mirror: string;
  readonly overrides: Readonly<
    Record<
      string,
      {
        readonly version?: string | undefined;
        readonly url?: string | undefined;
        readonly sha256?: string | undefined;
      }
    >
  >;
  readonly checksums?: string | undefined;
  readonly imageMirror: string;
  /** Whether to accept files and images from mirrors that neither the publisher nor a checksum can verify. */
  readonly trustMirror: boolean;
}

/** Security settings of the cluster. */
export interface Security {
  /**
   * `default`: settings without side effects; `cis`: also CIS Kubernetes Benchmark settings that restrict workloads.
   */
  readonly profile: (typeof SECURITY_PROFILES)[number];
  /** The secret that encrypts the private keys on this machine; if undefined, they are stored in plain text. */
  readonly keyEncryption?:
    { readonly passphrase?: SecretSource | undefined; readonly ageIdentity?: SecretSource | undefined } | undefined;
}
