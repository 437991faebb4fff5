import { z } from 'zod';
import { absolutePath, dataDirectory, ipOrName, toggle } from './fields.ts';

/** Storage classes to install. */
export const storageSchema = z.strictObject({
  openebs: z
    .strictObject({
      basePath: dataDirectory().default('/var/openebs/local').describe('Volume directory on the nodes.'),
    })
    .optional()
    .describe('Local volumes with OpenEBS.'),
  nfs: z
    .strictObject({ server: ipOrName().describe('NFS server.'), path: absolutePath().describe('Exported path.') })
    .optional()
    .describe('Volumes on an NFS server.'),
  longhorn: toggle().describe('Replicated volumes with Longhorn.'),
  localPath: toggle().describe('Local volumes with local-path-provisioner.'),
});
