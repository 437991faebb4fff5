import { z } from 'zod';
import { SECURITY_PROFILES } from '../data/choices.ts';
import { choice } from './fields.ts';

export const securitySchema = z.strictObject({
  profile: choice(SECURITY_PROFILES)
    .default('default')
    .describe(
      'Hardening. cis also enables the settings of the CIS Kubernetes Benchmark that limit workloads: audit log, encryption of Secrets, Pod Security defaults, admission plugins, limited anonymous access and seccomp. Fields that are set explicitly take precedence.',
    ),
});
