import { z } from 'zod';
import { choiceOrNone, formatted, hostPort, sha256, text, url, version } from './fields.ts';

/** Where binaries and images come from. */
export const artifactsSchema = z.strictObject({
  zone: choiceOrNone(['cn']).describe('cn takes everything from mirrors in China (also: environment KMZONE=cn).'),
  mirror: formatted('an http or https URL, or empty', (value) => value === '' || url().safeParse(value).success)
    .default('')
    .describe('URL that is put before host and path of every download.'),
  overrides: z
    .record(
      text(),
      z.strictObject({
        version: version().optional().describe('Another version than ours.'),
        url: url().optional().describe('Another place; {version} and {arch} are filled in.'),
        sha256: sha256().optional().describe('The sum it must have.'),
      }),
    )
    .default({})
    .describe('Another version, place or sum for one artifact, by its name in `get artifacts`, or by name/arch.'),
  checksums: text().optional().describe('File of sha256 sums, on this machine.'),
  imageMirror: formatted('host or host/path, or empty', (value) => value === '' || hostPort().safeParse(value.split('/')[0] ?? '').success)
    .default('')
    .describe('Put before the name of every image.'),
});
