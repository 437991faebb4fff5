import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of certificates and private keys. */
export const pkiErrors = {
  KEY_ENCRYPTED: entry(
    EXIT.config,
    {
      path: '.kubexm/prod/certs/kubernetes/ca.key',
      reason: 'neither the cluster file nor the environment names a key',
    },
    (p) => ({
      title: `Could not decrypt ${p.path}`,
      message: `The private keys of this cluster are encrypted: ${p.reason}. Nothing was changed.`,
      hint: 'Set security.keyEncryption in the cluster file, KUBEXM_KEY_PASSPHRASE or KUBEXM_KEY_IDENTITY_FILE, then repeat the command',
    }),
  ),
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
