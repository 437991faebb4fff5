import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Secret } from '../common/secret.ts';
import { signingKeys } from './key.ts';
import { USAGE_IDS, type CaRequest, type CertificateRequest } from './request.ts';

/** A certificate and its key, as PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: Secret;
}

/** The certificate of an authority that vouches for itself. */
export async function issueCa(request: CaRequest, key: Secret, now = new Date()): Promise<string> {
  const keys = await signingKeys(key);
  const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const made = await x509.X509CertificateGenerator.createSelfSigned({
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
  return pem(made);
}

/** A certificate for a key that an authority vouches for; it does not outlive the authority. */
export async function issueCertificate(
  request: CertificateRequest,
  key: Secret,
  authority: Pair,
  now = new Date(),
): Promise<string> {
  const [keys, signing] = await Promise.all([signingKeys(key), signingKeys(authority.key)]);
  const issuer = new x509.X509Certificate(authority.certificate);
  const { notBefore, notAfter } = validity(now, request.days);
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: subjectOf(request),
    issuer: issuer.subjectName,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: signing.privateKey,
    signingAlgorithm: signing.algorithm,
    extensions: [
      ...usesOf(request, keys.algorithm.name),
      ...namesOf(request),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await authorityIdOf(issuer),
    ],
  });
  return pem(made);
}

/** Positive, and never to be guessed. */
const newSerial = () => `4${randomBytes(16).toString('hex').slice(1)}`;

/** Hosts whose clocks are a little behind take it, too. */
const validity = (now: Date, days: number) => ({
  notBefore: new Date(now.getTime() - FIVE_MINUTES),
  notAfter: new Date(now.getTime() + days * A_DAY),
});

const FIVE_MINUTES = 300_000;
const A_DAY = 86_400_000;

const pem = (made: { toString(format: 'pem'): string }) => `${made.toString('pem')}\n`;

const subjectOf = ({ commonName, organizations = [] }: CertificateRequest) =>
  new x509.Name([...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }]);

function usesOf({ usages }: CertificateRequest, algorithm: string): readonly x509.Extension[] {
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
  const wrong = ips.find((ip) => isIP(ip) === 0);
  if (wrong !== undefined) throw new TypeError(`${wrong} is no address`);
  const names = [
    ...dns.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

/** As the authority calls itself; others than ours may count it in another way. */
async function authorityIdOf(issuer: x509.X509Certificate): Promise<x509.Extension> {
  const own = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  if (own) return new x509.AuthorityKeyIdentifierExtension(own.keyId);
  return x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}
