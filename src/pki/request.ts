/** What a certificate may be used for. */
export type Usage = 'server' | 'client';

export type KeyAlgorithm = 'ecdsa' | 'rsa';

/** A certificate authority to create. */
export interface CaRequest {
  /** Base name of its files: "ca" for ca.crt and ca.key, "etcd/ca" for the same in etcd/. */
  readonly name: string;
  readonly commonName: string;
  readonly days: number;
  readonly dns?: readonly string[];
  /** Default: ECDSA with P-256. */
  readonly algorithm?: KeyAlgorithm;
}

/** A certificate to issue. */
export interface CertificateRequest extends CaRequest {
  readonly organizations?: readonly string[];
  /** IPv4 or IPv6. */
  readonly ips?: readonly string[];
  /** Names and addresses of those above whose absence from an existing certificate is no reason to replace it. */
  readonly optional?: readonly string[];
  readonly usages: readonly Usage[];
  /** It is reissued when fewer days than these are left. */
  readonly renewDays: number;
}

/** A CA and the certificates it issues. */
export interface PkiRequest {
  readonly ca: CaRequest;
  readonly certificates: readonly CertificateRequest[];
}

/** Object identifiers of the extended key usages. */
export const USAGE_IDS: Readonly<Record<Usage, string>> = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
};
