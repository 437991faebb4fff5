import { z } from 'zod';
import { choiceOrNone, dataDirectory, flag, formatted, hostPort, secret, text, version } from './fields.ts';

const auth = z.strictObject({
  username: text().optional().describe('Registry user.'),
  password: secret().optional().describe('Registry password.'),
  skipTLSVerify: flag(false).describe('Do not verify the TLS certificate.'),
  plainHTTP: flag(false).describe('Use HTTP instead of HTTPS.'),
  certsPath: text()
    .optional()
    .describe('Folder on this machine with ca.crt and, for client authentication, client.cert and client.key.'),
});

/** The private image registry. */
export const registrySchema = z.strictObject({
  type: choiceOrNone(['registry', 'harbor', 'external']).describe(
    'Registry type: registry or harbor (installed on the registry host), external (not managed by kubexm), or empty for none. Defaults to registry if there is a registry host.',
  ),
  version: version().optional().describe('Registry version. Defaults to a tested version.'),
  privateRegistry: formatted(
    'host or host:port, or empty',
    (value) => value === '' || hostPort().safeParse(value).success,
  )
    .default('')
    .describe(
      'Name of the registry to pull images from. Defaults to dockerhub.kubexm.local if kubexm installs the registry.',
    ),
  namespaceOverride: formatted('a project name, or empty', (value) => /^([a-z0-9]+([._/-][a-z0-9]+)*)?$/.test(value))
    .default('')
    .describe('Project for all images, instead of their upstream projects.'),
  auths: z
    .record(hostPort(), auth)
    .default({})
    .describe(
      'Credentials and TLS settings, by registry host. kubexm generates a password for the registry that it installs if none is set.',
    ),
  anonymousPull: flag(false).describe(
    'Allow pulls without a login from the registry that kubexm installs. Pushes require a login and use the next port.',
  ),
  registryDataDir: dataDirectory().default('/mnt/registry').describe('Image directory on the registry host.'),
  harbor: z
    .strictObject({
      adminPassword: secret().optional().describe('Password of the admin user; generated and shown once if not set.'),
      trivy: flag(false).describe('Install the Trivy image scanner.'),
    })
    .prefault({})
    .describe('Harbor settings.'),
});
