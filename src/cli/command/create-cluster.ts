import { defineCommand } from '../command.ts';
import { enterOffline, offlineOptions } from '../options/offline.ts';
import { runOptions } from '../options/pipeline.ts';

export const createClusterCommand = defineCommand({
  path: 'create cluster',
  summary: 'Make a cluster out of the hosts of a file',
  description: 'Every step looks first, so it can be run again at any time; with nothing to do it changes nothing.',
  options: {
    ...runOptions,
    ...offlineOptions,
    skipPreflight: { type: 'flag', summary: 'do not check the hosts first' },
    mergeKubeconfig: { type: 'flag', summary: 'let kubectl of this user find the cluster, as a context' },
    ignorePreflight: { type: 'list', value: 'IDS', summary: 'go on in spite of errors of these checks: PF3,PF9' },
  },
  examples: [
    { command: 'kubexm create cluster -f cluster.yaml --dry-run', does: 'Show the plan and what it would change' },
    { command: 'kubexm create cluster -f cluster.yaml', does: 'Make it so' },
    { command: 'kubexm create cluster -f cluster.yaml --offline-bundle bundle.tar.zst', does: 'Without a network' },
    { command: 'kubexm create cluster -f cluster.yaml --resume', does: 'Go on after a failure' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { CREATED, createClusterWith } = await import('../../pipeline/cluster/create.ts');
    const { findAssets } = await import('../../runtime/plan/find-assets.ts');
    const { checkIds } = await import('../../runtime/run/check-hosts.ts');
    const { rememberContext } = await import('../execute/user-contexts.ts');
    const { mergeFor } = await import('../cluster-kubeconfig.ts');
    const { skipPreflight, ignorePreflight, mergeKubeconfig } = call.options;
    const ignore = checkIds(ignorePreflight);
    return runPipeline(call, {
      pipeline: async ({ cluster, diagnostics, place: { workdir } }) => {
        const offline = await enterOffline(call.options, call.console);
        const assetsFor = findAssets(cluster, { workdir, families: CREATED, offline });
        const preflight = skipPreflight ? 'skip' : { ignore, lint: diagnostics };
        return (found) => createClusterWith({ preflight, assets: assetsFor(found), offline });
      },
      command: 'create cluster',
      tells: 'preflight.judge',
      before: rememberContext,
      after: async ({ name }, { workdir }) => {
        if (mergeKubeconfig) await mergeFor({ name, workdir }, call.console);
      },
    });
  },
});
