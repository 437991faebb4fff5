import { ARCHES } from '../../common/host.ts';
import { clusterOptions, placeOf } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';

export const offlineSync = defineCommand({
  path: 'offline sync',
  summary: 'Push the images of a bundle, or of a cluster file, to a registry',
  description:
    'Images that the registry has already are left alone; layers that another project of it has are taken from there. Projects of a Harbor are made. ' +
    'It is entered with registry.auths of the cluster file, or with KUBEXM_REGISTRY_USERNAME and KUBEXM_REGISTRY_PASSWORD.',
  args: [{ name: 'bundles', summary: 'bundles, a base before what builds on it', optional: true, rest: true }],
  options: {
    ...clusterOptions,
    registry: { type: 'text', value: 'HOST', summary: 'the registry; that of the cluster file without it' },
    project: {
      type: 'text',
      value: 'NAME',
      summary: 'one project for all images; registry.namespaceOverride without it',
    },
    arch: {
      type: 'choice',
      choices: ARCHES,
      summary: 'of hosts that the file tells none of; they are asked otherwise',
    },
    plainHttp: { type: 'flag', summary: 'the registry has no TLS' },
    skipTlsVerify: { type: 'flag', summary: 'take any certificate of the registry' },
    offline: { type: 'flag', summary: 'pull nothing: what is not here is an error' },
    dryRun: { type: 'flag', summary: 'show what would be pushed, and push nothing' },
    output: { type: 'choice', short: 'o', choices: ['table', 'json'], default: 'table', summary: 'how it is printed' },
  },
  examples: [
    {
      command: 'kubexm offline sync bundle.tar.zst --registry harbor.example.com --project kubexm',
      does: 'Fill a Harbor',
    },
    {
      command: 'kubexm offline sync bundle.tar.zst --registry harbor.example.com --dry-run',
      does: 'What is missing there?',
    },
    { command: 'kubexm offline sync -f cluster.yaml', does: 'Fill the registry of the cluster file' },
  ],
  async run({ args, options, global, console }) {
    const { syncRegistry } = await import('../../runtime/offline/sync-registry.ts');
    const { loadCluster } = await import('../../config/load/load.ts');
    const named = options.file !== undefined || options.clusterName !== undefined || args.length === 0;
    const place = named ? await placeOf(options, global) : undefined;
    const cluster = place && (await loadCluster(place.file, { overrides: options.extraVars }));
    const wish = {
      bundles: args,
      cluster,
      workdir: place?.workdir ?? global.workdir,
      arch: options.arch,
      registry: options.registry,
      project: options.project,
      access: { ...(options.plainHttp && { plainHTTP: true }), ...(options.skipTlsVerify && { skipTLSVerify: true }) },
      offline: options.offline,
      dryRun: options.dryRun,
      progress: console.progress,
    };
    const synced = await untilStopped((signal) => syncRegistry(wish, signal));
    if (options.output === 'json') return console.json(synced);
    await console.table(
      ['IMAGE', 'TARGET', ''],
      synced.map(({ ref, target, outcome }) => [ref, target, outcome]),
    );
  },
});
