import { fail } from '../../common/errors/errors.ts';
import { checkClusterText } from '../../config/load/check.ts';
import { withLogin } from '../../config/model/with-login.ts';
import { cleanUpNodesPipeline } from '../../pipeline/nodes/delete.ts';
import { findCleanup } from '../../runtime/membership/find-cleanup.ts';
import { forgetRemovedHost, listRemovedHosts, readRemovedHost } from '../../state/removed-hosts.ts';
import { confirm } from '../confirm.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { loadLocated, type ChoosePipeline, type LocatedCluster, type PipelineCall } from './run-pipeline.ts';

/** Loads the cluster with a removed host, which is no longer in the cluster file. */
export async function loadWithRemovedHost(call: PipelineCall, name: string): Promise<LocatedCluster> {
  const located = await loadLocated(call);
  const { cluster, location } = located;
  const removed = { workdir: location.workdir, cluster: cluster.name, name };
  const text = await readRemovedHost(removed);
  const host = text === undefined ? undefined : hostIn(call, text, name);
  if (cluster.hosts.some((each) => each.name === name))
    throw fail('HOST_STILL_MEMBER', { host: name, as: 'a host of the cluster file' });
  if (!host) throw fail('HOST_NOT_REMOVED', { host: name, known: (await listRemovedHosts(removed)).join(', ') });
  return { ...located, cluster: { ...cluster, hosts: [...cluster.hosts, host] } };
}

function hostIn({ options }: PipelineCall, text: string, name: string) {
  const { cluster } = checkClusterText(text, name, { env: process.env, overrides: options.extraVars });
  return cluster && withLogin(cluster, options).hosts.find((host) => host.name === name);
}

/** Plans the reset of a removed host. */
export const chooseCleanup =
  (call: PipelineCall, name: string): ChoosePipeline =>
  async ({ cluster, location: { workdir } }, open) => {
    const session = await open();
    const cleanup = await abortOnInterrupt((signal) => findCleanup(session, name, { workdir, signal }));
    return {
      pipeline: cleanUpNodesPipeline(cleanup),
      removesHosts: [name],
      selection: `--cleanup ${name}`,
      before: () => confirm(call, `delete nodes --cleanup ${name}`, `Reset ${name}?`),
      after: () => forgetRemovedHost({ workdir, cluster: cluster.name, name }),
    };
  };
