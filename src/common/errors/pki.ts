import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of certificates and private keys. */
export const pkiErrors = {
  PKI_UNUSABLE: entry(
    EXIT.config,
    { file: '.kubexm/prod/certs/registry/ca.crt', reason: 'it does not match its private key' },
    (p) => ({
      title: `${p.file} is unusable`,
      message: `No certificates can be issued with it: ${p.reason}. It was not replaced, because existing certificates depend on it.`,
      hint: `Restore it from a backup. If nothing depends on it any more, move it away: mv ${p.file} ${p.file}.old`,
    }),
  ),
};
