import { basename } from 'node:path';
import type { PkiRequest } from '../../pki/request.ts';
import { ensurePki, pkiProblems } from '../../pki/store.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';

/** Certificates, and their directory on this machine. */
export interface PkiFilesOptions {
  readonly folder: string;
  readonly request: PkiRequest;
}

/**
 * Ensures that the certificates exist and match the request. There is no undo: keys that may be in use are never
 * removed.
 */
export function pkiFiles({ folder, request }: PkiFilesOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `pki:${basename(folder)}/${request.ca.name}`,
    summary: `issue certificates in ${folder}`,
    precheck: async () => findingOf(await pkiProblems(folder, request)),
    run: () => ensurePki(folder, request),
  });
}
