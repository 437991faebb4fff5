import { EXIT } from '../exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of the cluster file and the other files a user hands in. */
export const configErrors = {
  FILE_NOT_FOUND: entry(EXIT.config, { path: 'cluster.yaml' }, (p) => ({
    title: `${p.path} does not exist`,
    message: `There is no file ${p.path}.`,
    hint: `Check the path, or write a new file: kubexm create config -f ${p.path}`,
  })),
};
