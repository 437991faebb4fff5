import { packageModule, type PackageOptions } from '../../module/preflight/package.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** For a cluster whose hosts are known: one file with all they need. */
export const packagePipeline = (options: PackageOptions): Pipeline =>
  definePipeline({
    name: 'package-offline',
    command: 'offline package',
    title: 'Package everything that a cluster needs',
    plan: ({ module }) => module(packageModule(options)),
  });
