/** What a certificate lets its holder do. */
export type Usage = 'server' | 'client';

/** How keys are made. */
export type KeyAlgorithm = 'ecdsa' | 'rsa';

/** A certificate authority that is to be. */
export interface CaRequest {
  /** Of its files, below a folder: "ca" is ca.crt and ca.key, "etcd/ca" the same in etcd. */
  readonly name: string;
  readonly commonName: string;
  readonly days: number;
  readonly dns?: readonly string[];
  /** ECDSA with P-256 unless told. */
  readonly algorithm?: KeyAlgorithm;
}

/** A certificate that is to be, and what it must say. */
export interface CertificateRequest extends CaRequest {
  readonly organizations?: readonly string[];
  /** IPv4 or IPv6 */
  readonly ips?: readonly string[];
  readonly usages: readonly Usage[];
  /** A new one is made when fewer days than these are left. */
  readonly renewDays: number;
}

/** An authority and what it vouches for. */
export interface PkiRequest {
  readonly ca: CaRequest;
  readonly certificates: readonly CertificateRequest[];
}

/** The names of extended key usages, as certificates have them. */
export const USAGE_IDS: Readonly<Record<Usage, string>> = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
};
