import { join } from 'node:path';
import { registryFolder } from '../../../common/cluster-files.ts';

/** The local folder of harbor.yml and of the generated passwords. */
export const harborFolder = (folder: string) => join(registryFolder(folder), 'harbor');

export const passwordPath = (folder: string, name: 'admin' | 'database') =>
  join(harborFolder(folder), `${name}-password`);
