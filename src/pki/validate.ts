import { X509Certificate } from 'node:crypto';
import type { Secret } from '../common/secret.ts';
import { readKey } from './key.ts';
import { USAGE_IDS, type CertificateRequest } from './request.ts';

/** What stands in the files of a certificate; undefined where there is none. */
export interface FoundPair {
  readonly certificate: string | undefined;
  readonly key: Secret | undefined;
}

/** Why an authority cannot vouch for anything any more; its key may be elsewhere. */
export function caProblems({ certificate, key }: FoundPair, now = new Date()): readonly string[] {
  if (certificate === undefined) return ['it is not there'];
  const cert = parsed(certificate);
  if (cert === undefined) return ['it is no certificate'];
  return [
    ...(cert.ca ? [] : ['it is not one of an authority']),
    ...keyFaults(cert, key),
    ...(endOf(cert) <= now ? [`it ended on ${dayOf(endOf(cert))}`] : []),
  ];
}

/** In which ways a certificate is not what it should be; empty when all is well. Only looks, and needs no network. */
export function certificateProblems(
  found: FoundPair,
  request: CertificateRequest,
  authority: string | undefined,
  now = new Date(),
): readonly string[] {
  if (found.certificate === undefined) return ['it is not there'];
  const cert = parsed(found.certificate);
  if (cert === undefined) return ['it is no certificate'];
  return [
    ...(found.key === undefined ? ['its key is not there'] : keyFaults(cert, found.key)),
    ...issuerFaults(cert, authority),
    ...nameFaults(cert, request),
    ...timeFaults(cert, request, now),
  ];
}

/** Whole days until a certificate ends; negative when it did. Undefined for what is none. */
export function daysLeft(certificate: string, now = new Date()): number | undefined {
  const cert = parsed(certificate);
  return cert && Math.floor((endOf(cert).getTime() - now.getTime()) / A_DAY);
}

const A_DAY = 86_400_000;

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyFaults(cert: X509Certificate, pem: Secret | undefined): readonly string[] {
  if (pem === undefined) return [];
  const key = readKey(pem);
  if (key === undefined) return ['its key cannot be read'];
  return cert.checkPrivateKey(key) ? [] : ['its key is another one'];
}

function issuerFaults(cert: X509Certificate, authority: string | undefined): readonly string[] {
  const issuer = authority === undefined ? undefined : parsed(authority);
  if (issuer === undefined) return ['its authority is not there'];
  return cert.checkIssued(issuer) && cert.verify(issuer.publicKey) ? [] : ['another authority made it'];
}

function nameFaults(
  cert: X509Certificate,
  { commonName, organizations = [], dns = [], ips = [], usages }: CertificateRequest,
): readonly string[] {
  const lines = new Set(cert.subject.split('\n'));
  const subject = [`CN=${commonName}`, ...organizations.map((name) => `O=${name}`)];
  return [
    ...subject.filter((line) => !lines.has(line)).map((line) => `it does not say ${line}`),
    ...dns.filter((name) => cert.checkHost(name, { subject: 'never' }) === undefined).map(notFor),
    ...ips.filter((ip) => cert.checkIP(ip) === undefined).map(notFor),
    ...usages.filter((usage) => !cert.keyUsage?.includes(USAGE_IDS[usage])).map((usage) => `it is not for a ${usage}`),
  ];
}

const notFor = (name: string) => `it is not for ${name}`;

function timeFaults(cert: X509Certificate, { renewDays }: CertificateRequest, now: Date): readonly string[] {
  const end = endOf(cert);
  if (new Date(cert.validFrom) > now) return [`it begins only on ${dayOf(new Date(cert.validFrom))}`];
  if (end <= now) return [`it ended on ${dayOf(end)}`];
  const left = Math.floor((end.getTime() - now.getTime()) / A_DAY);
  return left < renewDays ? [`it ends in ${left} days`] : [];
}

const endOf = ({ validTo }: X509Certificate) => new Date(validTo);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
