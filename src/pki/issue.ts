import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Secret } from '../common/secret.ts';
import { signingKeys } from './key.ts';
import { USAGE_IDS, type CaRequest, type CertificateRequest } from './request.ts';

/** A certificate and its private key, as PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: Secret;
}

/** Issues a self-signed CA certificate. */
export async function issueCa(request: CaRequest, key: Secret, now = new Date()): Promise<string> {
  const keys = await signingKeys(key);
  const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: new x509.Name([{ CN: [request.commonName] }]),
    ...validity(now, request.days),
    keys,
    signingAlgorithm: keys.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment | keyCertSign | cRLSign, true),
      ...namesOf(request),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pem(certificate);
}

/** Issues a certificate signed by a CA. It expires no later than the CA. */
export async function issueCertificate(
  request: CertificateRequest,
  key: Secret,
  ca: Pair,
  now = new Date(),
): Promise<string> {
  const [keys, signing] = await Promise.all([signingKeys(key), signingKeys(ca.key)]);
  const issuer = new x509.X509Certificate(ca.certificate);
  const { notBefore, notAfter } = validity(now, request.days);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: subjectOf(request),
    issuer: issuer.subjectName,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: signing.privateKey,
    signingAlgorithm: signing.algorithm,
    extensions: [
      ...usagesOf(request, keys.algorithm.name),
      ...namesOf(request),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await authorityKeyIdentifier(issuer),
    ],
  });
  return pem(certificate);
}

/** Random; the leading 4 keeps the number positive. */
const newSerial = () => `4${randomBytes(16).toString('hex').slice(1)}`;

/** Starts five minutes ago, so that hosts whose clocks are behind accept it. */
const validity = (now: Date, days: number) => ({
  notBefore: new Date(now.getTime() - FIVE_MINUTES_MS),
  notAfter: new Date(now.getTime() + days * DAY_MS),
});

const FIVE_MINUTES_MS = 300_000;
const DAY_MS = 86_400_000;

const pem = (certificate: { toString(format: 'pem'): string }) => `${certificate.toString('pem')}\n`;

const subjectOf = ({ commonName, organizations = [] }: CertificateRequest) =>
  new x509.Name([...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }]);

function usagesOf({ usages }: CertificateRequest, algorithm: string): readonly x509.Extension[] {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const signs = new x509.KeyUsagesExtension(digitalSignature, true);
  const both = new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true);
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    algorithm === 'ECDSA' ? signs : both,
    new x509.ExtendedKeyUsageExtension(usages.map((usage) => USAGE_IDS[usage])),
  ];
}

function namesOf({ dns = [], ips = [] }: Pick<CertificateRequest, 'dns' | 'ips'>): readonly x509.Extension[] {
  const invalid = ips.find((ip) => isIP(ip) === 0);
  if (invalid !== undefined) throw new TypeError(`${invalid} is not an IP address`);
  const names = [
    ...dns.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

/** Copies the subject key identifier of the CA, because an external CA may compute it differently. */
async function authorityKeyIdentifier(issuer: x509.X509Certificate): Promise<x509.Extension> {
  const subjectKey = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  if (subjectKey) return new x509.AuthorityKeyIdentifierExtension(subjectKey.keyId);
  return x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}
