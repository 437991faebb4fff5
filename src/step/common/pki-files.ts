import type { PkiRequest } from '../../pki/request.ts';
import { ensurePki, pkiProblems } from '../../pki/store.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/step.ts';

/** Certificates on this machine, and where. */
export interface PkiFilesOptions {
  readonly folder: string;
  readonly request: PkiRequest;
}

/** The certificates are what they should be. Nothing undoes it: keys that others may use are never taken away. */
export function pkiFiles({ folder, request }: PkiFilesOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `pki:${folder}`,
    summary: `make certificates in ${folder}`,
    precheck: async () => findingOf(await pkiProblems(folder, request)),
    run: () => ensurePki(folder, request),
  });
}
