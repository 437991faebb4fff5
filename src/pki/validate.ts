import { X509Certificate } from 'node:crypto';
import type { Secret } from '../common/secret.ts';
import { readKey } from './key.ts';
import { USAGE_IDS, type CertificateRequest } from './request.ts';

/** The content of a certificate file and its key file; undefined where there is none. */
export interface FoundPair {
  readonly certificate: string | undefined;
  readonly key: Secret | undefined;
}

/** Why a CA is unusable; empty if it is valid. Its key may be kept elsewhere. */
export function caProblems({ certificate, key }: FoundPair, now = new Date()): readonly string[] {
  if (certificate === undefined) return ['it is missing'];
  const cert = parse(certificate);
  if (cert === undefined) return ['it is not a certificate'];
  return [
    ...(cert.ca ? [] : ['it is not a CA certificate']),
    ...keyProblems(cert, key),
    ...(expiryOf(cert) <= now ? [`it expired on ${dateOf(expiryOf(cert))}`] : []),
  ];
}

/** How a certificate differs from its request; empty if it is valid. */
export function certificateProblems(
  found: FoundPair,
  request: CertificateRequest,
  ca: string | undefined,
  now = new Date(),
): readonly string[] {
  if (found.certificate === undefined) return ['it is missing'];
  const cert = parse(found.certificate);
  if (cert === undefined) return ['it is not a certificate'];
  return [
    ...(found.key === undefined ? ['its private key is missing'] : keyProblems(cert, found.key)),
    ...issuerProblems(cert, ca),
    ...subjectProblems(cert, request),
    ...validityProblems(cert, request, now),
  ];
}

/** Whole days until a certificate expires, negative if it has; undefined if it is not a certificate. */
export function daysLeft(certificate: string, now = new Date()): number | undefined {
  const cert = parse(certificate);
  return cert && daysUntil(expiryOf(cert), now);
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyProblems(cert: X509Certificate, pem: Secret | undefined): readonly string[] {
  if (pem === undefined) return [];
  const key = readKey(pem);
  if (key === undefined) return ['its private key is invalid'];
  return cert.checkPrivateKey(key) ? [] : ['it does not match its private key'];
}

function issuerProblems(cert: X509Certificate, ca: string | undefined): readonly string[] {
  const issuer = ca === undefined ? undefined : parse(ca);
  if (issuer === undefined) return ['its CA certificate is missing'];
  return cert.checkIssued(issuer) && cert.verify(issuer.publicKey) ? [] : ['it was issued by another CA'];
}

function subjectProblems(
  cert: X509Certificate,
  { commonName, organizations = [], dns = [], ips = [], optional = [], usages }: CertificateRequest,
): readonly string[] {
  const lines = new Set(cert.subject.split('\n'));
  const subject = [`CN=${commonName}`, ...organizations.map((name) => `O=${name}`)];
  const names = [
    ...dns.filter((name) => cert.checkHost(name, { subject: 'never' }) === undefined),
    ...ips.filter((ip) => cert.checkIP(ip) === undefined),
  ].filter((name) => !optional.includes(name));
  return [
    ...subject.filter((line) => !lines.has(line)).map((line) => `its subject lacks ${line}`),
    ...names.map((name) => `it is not valid for ${name}`),
    ...usages
      .filter((usage) => !cert.keyUsage?.includes(USAGE_IDS[usage]))
      .map((usage) => `it is not a ${usage} certificate`),
  ];
}

function validityProblems(cert: X509Certificate, { renewDays }: CertificateRequest, now: Date): readonly string[] {
  const [start, expiry] = [new Date(cert.validFrom), expiryOf(cert)];
  if (start > now) return [`it is not valid before ${dateOf(start)}`];
  if (expiry <= now) return [`it expired on ${dateOf(expiry)}`];
  const left = daysUntil(expiry, now);
  return left < renewDays ? [`it expires in ${left} days`] : [];
}

const expiryOf = ({ validTo }: X509Certificate) => new Date(validTo);
const dateOf = (date: Date) => date.toISOString().slice(0, 10);
const daysUntil = (date: Date, now: Date) => Math.floor((date.getTime() - now.getTime()) / DAY_MS);

const DAY_MS = 86_400_000;
