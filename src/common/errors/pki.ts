import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of certificates and their keys. */
export const pkiErrors = {
  PKI_UNUSABLE: entry(
    EXIT.config,
    { file: '.kubexm/prod/certs/registry/ca.crt', reason: 'its key is another one' },
    (p) => ({
      title: `${p.file} cannot be used`,
      message: `No certificates can be made with it: ${p.reason}. It was left alone, because what depends on it would be lost.`,
      hint: `Put it back from a backup, or, if nothing uses it any more, move it away: mv ${p.file} ${p.file}.old`,
    }),
  ),
};
