import { z } from 'zod';
import { absolutePath, choiceOrNone, flag, formatted, hostPort, secret, text, version } from './fields.ts';

const auth = z.strictObject({
  username: text().optional().describe('User of the registry.'),
  password: secret().optional().describe('Password of the user.'),
  skipTLSVerify: flag(false).describe('Accept any certificate.'),
  plainHTTP: flag(false).describe('No TLS at all.'),
  certsPath: text().optional().describe('Folder on this machine with ca.crt, and client.cert and client.key if asked for.'),
});

/** The private image registry. */
export const registrySchema = z.strictObject({
  type: choiceOrNone(['registry', 'harbor', 'external']).describe(
    'What serves images: registry or harbor on the registry host, external (yours), or none. With a registry host and no type: registry.',
  ),
  version: version().optional().describe('Its version; a tested one by default.'),
  privateRegistry: formatted('host or host:port, or empty', (value) => value === '' || hostPort().safeParse(value).success)
    .default('')
    .describe('Name of the registry that images come from. dockerhub.kubexm.local if we install one.'),
  namespaceOverride: formatted('a project name, or empty', (value) => /^([a-z0-9]+([._/-][a-z0-9]+)*)?$/.test(value))
    .default('')
    .describe('Project that holds all images, instead of the upstream ones.'),
  auths: z.record(hostPort(), auth).default({}).describe('How to log in, by host of the registry.'),
  registryDataDir: absolutePath().default('/mnt/registry').describe('Where images are kept on the registry host.'),
  harbor: z
    .strictObject({
      adminPassword: secret().optional().describe('Password of admin; made and shown once if not given.'),
      trivy: flag(false).describe('Scan images.'),
    })
    .prefault({})
    .describe('Settings of harbor.'),
});
