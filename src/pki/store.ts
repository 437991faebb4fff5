import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { Secret } from '../common/secret.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { writeFileAtomically } from '../util/write-file.ts';
import { caProblems, certificateProblems, type FoundPair } from './validate.ts';
import type { Pair } from './issue.ts';
import { makeKey, readKey } from './key.ts';
import type { CaRequest, CertificateRequest, PkiRequest } from './request.ts';

/** In which ways the files of a folder are not what was asked for, "server.crt: it ends in 12 days". Only looks. */
export async function pkiProblems(folder: string, { ca: authority, certificates }: PkiRequest): Promise<readonly string[]> {
  const [own, ...pairs] = await Promise.all([authority, ...certificates].map(({ name }) => readPair(folder, name)));
  const faults = certificates.map((request, place) =>
    named(request, certificateProblems(pairs[place] ?? NOTHING, request, own?.certificate)),
  );
  return [...named(authority, caProblems(own ?? NOTHING)), ...faults.flat()];
}

/**
 * Makes what is missing, and certificates anew that are wrong or near their end. Keys that are there stay: others use
 * them, and an authority is never replaced, because everything it vouched for would be lost.
 */
export async function ensurePki(folder: string, { ca: authority, certificates }: PkiRequest): Promise<void> {
  await ensureFolder(folder, 0o700);
  await ensureAuthority(folder, authority);
  const own = await readPair(folder, authority.name);
  for (const request of certificates) {
    const found = await readPair(folder, request.name);
    if (certificateProblems(found, request, own.certificate).length === 0) continue;
    await renew(folder, request, found, wholeAuthority(folder, authority, own));
  }
}

/** What is in the files of a name. */
export async function readPair(folder: string, name: string): Promise<FoundPair> {
  const [certificate, key] = await Promise.all([certificatePath(folder, name), keyPath(folder, name)].map(readIfExists));
  return { certificate, key: key === undefined ? undefined : new Secret(key) };
}

export const certificatePath = (folder: string, name: string) => join(folder, `${name}.crt`);
export const keyPath = (folder: string, name: string) => join(folder, `${name}.key`);

const NOTHING: FoundPair = { certificate: undefined, key: undefined };

const named = ({ name }: CaRequest, faults: readonly string[]) => faults.map((fault) => `${name}.crt: ${fault}`);

/** Loaded with the first certificate that is made: looking does without it. */
const issuing = () => import('./issue.ts');

async function ensureAuthority(folder: string, request: CaRequest): Promise<void> {
  const found = await readPair(folder, request.name);
  const path = certificatePath(folder, request.name);
  if (found.certificate === undefined) {
    const key = await keyFor(folder, request, found);
    const { issueCa: issueAuthority } = await issuing();
    await write(path, await issueAuthority(request, key), 0o644);
    return;
  }
  const [fault] = caProblems(found);
  if (fault !== undefined) throw fail('PKI_UNUSABLE', { file: path, reason: fault });
}

async function renew(folder: string, request: CertificateRequest, found: FoundPair, authority: Pair): Promise<void> {
  const key = await keyFor(folder, request, found);
  const { issueCertificate } = await issuing();
  await write(certificatePath(folder, request.name), await issueCertificate(request, key, authority), 0o644);
}

/** A new one is written before its certificate: cut off in between, the certificate is made for it the next time. */
async function keyFor(folder: string, { name, algorithm }: CaRequest, { key: known }: FoundPair) {
  const path = keyPath(folder, name);
  if (known && readKey(known) === undefined) throw fail('PKI_UNUSABLE', { file: path, reason: 'it cannot be read' });
  if (known) return known;
  const key = await makeKey(algorithm);
  await write(path, key.reveal(), 0o600);
  return key;
}

function wholeAuthority(folder: string, { name }: CaRequest, { certificate, key }: FoundPair): Pair {
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  throw fail('PKI_UNUSABLE', { file: keyPath(folder, name), reason: 'it is not there' });
}

async function write(path: string, content: string, mode: number): Promise<void> {
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, content, mode);
}

/** The text of a file of this machine; undefined only where there is none: what cannot be read may well be in use. */
export const readIfExists = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  });
