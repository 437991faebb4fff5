import { z } from 'zod';
import { absolutePath, ipOrName, toggle } from './fields.ts';

/** Storage classes to install. */
export const storageSchema = z.strictObject({
  openebs: z
    .strictObject({ basePath: absolutePath().default('/var/openebs/local').describe('Where volumes are kept on the nodes.') })
    .optional()
    .describe('Local volumes by OpenEBS.'),
  nfs: z
    .strictObject({ server: ipOrName().describe('The NFS server.'), path: absolutePath().describe('The exported folder.') })
    .optional()
    .describe('Volumes on an NFS server.'),
  longhorn: toggle().describe('Replicated volumes by Longhorn.'),
  localPath: toggle().describe('Local volumes by local-path-provisioner.'),
});
