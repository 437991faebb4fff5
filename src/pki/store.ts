import { dirname, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { Secret } from '../common/secret.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { readPrivateFile, writePrivateFile } from '../util/private-file.ts';
import { writeFileAtomically } from '../util/write-file.ts';
import type { Pair } from './issue.ts';
import { makeKey, readKey } from './key.ts';
import type { CaRequest, CertificateRequest, PkiRequest } from './request.ts';
import { caProblems, certificateProblems, type FoundPair } from './validate.ts';

/** The differences between a folder and a request, such as "server.crt: it expires in 12 days". Read-only. */
export async function pkiProblems(folder: string, { ca, certificates }: PkiRequest): Promise<readonly string[]> {
  const [caPair, ...pairs] = await Promise.all([ca, ...certificates].map(({ name }) => readPair(folder, name)));
  const problems = certificates.map((request, index) =>
    withFileName(request, certificateProblems(pairs[index] ?? NOTHING, request, caPair?.certificate)),
  );
  return [...withFileName(ca, caProblems(caPair ?? NOTHING)), ...problems.flat()];
}

/**
 * Creates missing files and reissues certificates that are wrong or about to expire. Existing keys are kept, because
 * they may be in use. A CA is never replaced, because that would invalidate every certificate it issued.
 */
export async function ensurePki(folder: string, { ca, certificates }: PkiRequest): Promise<void> {
  await ensureFolder(folder, 0o700);
  await ensureCa(folder, ca);
  const caPair = await readPair(folder, ca.name);
  for (const request of certificates) {
    const found = await readPair(folder, request.name);
    if (certificateProblems(found, request, caPair.certificate).length === 0) continue;
    await issue(folder, request, found, signingPair(folder, ca, caPair));
  }
}

/** Issues a certificate with a new key that is written nowhere. */
export async function issueTemporary(
  folder: string,
  request: CertificateRequest,
): Promise<Pair & { readonly ca: string }> {
  const ca = signingPair(folder, { name: 'ca' }, await readPair(folder, 'ca'));
  const [{ issueCertificate }, key] = await Promise.all([loadIssue(), makeKey(request.algorithm)]);
  return { ca: ca.certificate, certificate: await issueCertificate(request, key, ca), key };
}

export async function readPair(folder: string, name: string): Promise<FoundPair> {
  const [certificate, key] = await Promise.all(
    [certificatePath(folder, name), keyPath(folder, name)].map(readPrivateFile),
  );
  return { certificate, key: key === undefined ? undefined : new Secret(key) };
}

export const certificatePath = (folder: string, name: string) => join(folder, `${name}.crt`);
export const keyPath = (folder: string, name: string) => join(folder, `${name}.key`);

const NOTHING: FoundPair = { certificate: undefined, key: undefined };

const withFileName = ({ name }: CaRequest, problems: readonly string[]) =>
  problems.map((problem) => `${name}.crt: ${problem}`);

/** Loaded on demand: validation does not need the X.509 library. */
const loadIssue = () => import('./issue.ts');

async function ensureCa(folder: string, request: CaRequest): Promise<void> {
  const found = await readPair(folder, request.name);
  const path = certificatePath(folder, request.name);
  if (found.certificate === undefined) {
    const key = await keyFor(folder, request, found);
    const { issueCa: issueAuthority } = await loadIssue();
    await writeCertificate(path, await issueAuthority(request, key));
    return;
  }
  const [problem] = caProblems(found);
  if (problem !== undefined) throw fail('PKI_UNUSABLE', { file: path, reason: problem });
}

async function issue(folder: string, request: CertificateRequest, found: FoundPair, ca: Pair): Promise<void> {
  const key = await keyFor(folder, request, found);
  const { issueCertificate } = await loadIssue();
  await writeCertificate(certificatePath(folder, request.name), await issueCertificate(request, key, ca));
}

/** The existing key or a new one. It is written before the certificate, so that an interrupted run continues with it. */
async function keyFor(folder: string, { name, algorithm }: CaRequest, { key: existing }: FoundPair) {
  const path = keyPath(folder, name);
  if (existing && readKey(existing) === undefined)
    throw fail('PKI_UNUSABLE', { file: path, reason: 'it is not a valid private key' });
  if (existing) return existing;
  const key = await makeKey(algorithm);
  await ensureFolder(dirname(path), 0o700);
  await writePrivateFile(path, key.reveal());
  return key;
}

function signingPair(folder: string, { name }: Pick<CaRequest, 'name'>, { certificate, key }: FoundPair): Pair {
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  throw fail('PKI_UNUSABLE', { file: keyPath(folder, name), reason: 'it is missing' });
}

async function writeCertificate(path: string, content: string): Promise<void> {
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, content, 0o644);
}
