import { defineCommand } from '../command.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { archOption } from '../options/artifacts.ts';
import { clusterOptions, locateCluster } from '../options/cluster.ts';
import { tableOrJson } from '../options/output.ts';

export const offlineSync = defineCommand({
  path: 'offline sync',
  summary: 'Push the images of a bundle or a cluster file to a registry',
  description:
    'Skips images that the registry already has and reuses layers from other projects. Creates missing projects in Harbor. ' +
    'Credentials come from registry.auths in the cluster file, or from KUBEXM_REGISTRY_USERNAME and KUBEXM_REGISTRY_PASSWORD.',
  args: [{ name: 'BUNDLE', summary: 'bundles to push; base bundle first', optional: true, rest: true }],
  options: {
    ...clusterOptions,
    registry: { type: 'text', value: 'HOST', summary: 'target registry (default: the registry in the cluster file)' },
    project: {
      type: 'text',
      value: 'NAME',
      summary: 'push all images to this project (default: registry.namespaceOverride)',
    },
    arch: archOption,
    plainHttp: { type: 'flag', summary: 'connect to the registry without TLS' },
    skipTlsVerify: { type: 'flag', summary: 'do not verify the certificate of the registry' },
    offline: { type: 'flag', summary: 'do not pull images; fail if one is missing on this machine' },
    dryRun: { type: 'flag', summary: 'show what would be pushed without pushing anything' },
    output: tableOrJson,
  },
  examples: [
    {
      command: 'kubexm offline sync bundle.tar.zst --registry harbor.example.com --project kubexm',
      does: 'Push all images of a bundle to a Harbor project',
    },
    {
      command: 'kubexm offline sync bundle.tar.zst --registry harbor.example.com --dry-run',
      does: 'Show which images are missing in the registry',
    },
    { command: 'kubexm offline sync -f cluster.yaml', does: 'Push all images to the registry in the cluster file' },
  ],
  async run({ args, options, global, console }) {
    const { syncRegistry } = await import('../../runtime/offline/sync-registry.ts');
    const { loadCluster } = await import('../../config/load/load.ts');
    const usesClusterFile = options.file !== undefined || options.clusterName !== undefined || args.length === 0;
    const location = usesClusterFile ? await locateCluster(options, global) : undefined;
    const cluster = location && (await loadCluster(location.file, { overrides: options.extraVars }));
    const request = {
      bundles: args,
      cluster,
      workdir: location?.workdir ?? global.workdir,
      arch: options.arch,
      registry: options.registry,
      project: options.project,
      credentials: {
        ...(options.plainHttp && { plainHTTP: true }),
        ...(options.skipTlsVerify && { skipTLSVerify: true }),
      },
      offline: options.offline,
      dryRun: options.dryRun,
      onNewHostKey: showNewHostKeys(console),
      progress: console.progress,
    };
    const synced = await abortOnInterrupt((signal) => syncRegistry(request, signal));
    if (options.output === 'json') return console.json(synced);
    await console.table(
      ['IMAGE', 'TARGET', ''],
      synced.map(({ ref, target, outcome }) => [ref, target, outcome]),
    );
  },
});
