import { z } from 'zod';
import { SECURITY_PROFILES } from '../data/choices.ts';
import { choice, secretReference } from './fields.ts';

export const securitySchema = z.strictObject({
  profile: choice(SECURITY_PROFILES)
    .default('default')
    .describe(
      'Hardening. cis also enables the settings of the CIS Kubernetes Benchmark that limit workloads: audit log, encryption of Secrets, Pod Security defaults, admission plugins, limited anonymous access and seccomp. Fields that are set explicitly take precedence.',
    ),
  keyEncryption: z
    .strictObject({
      passphrase: secretReference().optional().describe('Passphrase.'),
      ageIdentity: secretReference()
        .optional()
        .describe('age identity (AGE-SECRET-KEY-1…), as in a file of age-keygen.'),
    })
    .optional()
    .describe(
      'Encrypts private keys in .kubexm on this machine, in the age format. Defaults to KUBEXM_KEY_PASSPHRASE or the identity in KUBEXM_KEY_IDENTITY_FILE.',
    ),
});
