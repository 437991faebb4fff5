import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors about certificates and private keys. */
export const pkiErrors = {
  KEY_ENCRYPTED: entry(
    EXIT.config,
    {
      path: '.kubexm/prod/certs/kubernetes/ca.key',
      reason: 'neither the cluster file nor the environment sets a decryption key',
    },
    (p) => ({
      title: `Could not decrypt ${p.path}`,
      message: `The private keys of this cluster are encrypted, and decryption failed: ${p.reason}. Nothing was changed.`,
      hint: 'Set security.keyEncryption in the cluster file, KUBEXM_KEY_PASSPHRASE or KUBEXM_KEY_IDENTITY_FILE, then repeat the command',
    }),
  ),
  PKI_UNUSABLE: entry(
    EXIT.config,
    { file: '.kubexm/prod/certs/registry/ca.crt', reason: 'it does not match its private key' },
    (p) => ({
      title: `${p.file} is unusable`,
      message: `kubexm cannot sign with it: ${p.reason}. kubexm did not replace it, because existing certificates or tokens depend on it.`,
      hint: `Restore it from a backup. If nothing depends on it any more, rename it: mv ${p.file} ${p.file}.old`,
    }),
  ),
};
