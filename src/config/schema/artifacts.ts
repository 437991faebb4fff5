import { z } from 'zod';
import { choiceOrNone, flag, formatted, hostPort, sha256, text, url, version } from './fields.ts';

/** Download sources for binaries and images. */
export const artifactsSchema = z.strictObject({
  zone: choiceOrNone(['cn']).describe(
    'Set to cn to download everything from mirrors in China. The environment variable KMZONE=cn has the same effect.',
  ),
  mirror: formatted('an http or https URL, or empty', (value) => value === '' || url().safeParse(value).success)
    .default('')
    .describe('URL of a mirror. kubexm prepends it to the host and path of every download URL.'),
  overrides: z
    .record(
      text(),
      z.strictObject({
        version: version().optional().describe('Version to use instead of the default.'),
        url: url().optional().describe('Download URL; may contain the placeholders {version} and {arch}.'),
        sha256: sha256().optional().describe('Expected SHA-256 checksum.'),
      }),
    )
    .default({})
    .describe('Version, URL or checksum of individual artifacts, by the name in `get artifacts` or by name/arch.'),
  checksums: text().optional().describe('Path of a file with SHA-256 checksums on this machine.'),
  imageMirror: formatted(
    'host or host/path, or empty',
    (value) => value === '' || hostPort().safeParse(value.split('/')[0] ?? '').success,
  )
    .default('')
    .describe('Prefix for the name of every image.'),
  trustMirror: flag(false).describe(
    'Accept files and images from mirrors that neither the publisher nor a checksum can verify.',
  ),
});
