import { fail } from '../../common/errors/errors.ts';
import { checkClusterText } from '../../config/load/check.ts';
import { configInvalid } from '../../config/load/load.ts';
import { removeHosts } from '../../config/edit/remove-hosts.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { withLogin } from '../../config/model/with-login.ts';
import { readClusterFile } from '../../config/source/read.ts';
import { deleteNodesPipeline } from '../../pipeline/nodes/delete.ts';
import { findRemoval } from '../../runtime/membership/find-removal.ts';
import { selectHosts } from '../../runtime/session/select-hosts.ts';
import { replaceClusterFile } from '../../state/cluster-file.ts';
import { keepRemovedHost } from '../../state/removed-hosts.ts';
import { confirm } from '../confirm.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import type { ChoosePipeline, PipelineCall } from './run-pipeline.ts';

/** One call of `delete nodes`. */
export interface RemovalCall extends PipelineCall {
  readonly options: PipelineCall['options'] & {
    readonly force: boolean;
    readonly skipCleanup: boolean;
    readonly unreachable: boolean;
  };
}

/** Plans the removal of the hosts of the command line. The cluster file is changed when they are gone. */
export const chooseRemoval =
  (call: RemovalCall, nodes: readonly string[]): ChoosePipeline =>
  async ({ cluster, location }, open) => {
    const { force, skipCleanup, unreachable, extraVars } = call.options;
    const { file, workdir } = location;
    if (nodes.length === 0)
      throw fail('USAGE', {
        message: '--nodes is missing.',
        help: 'kubexm delete nodes -f cluster.yaml --nodes node4',
      });
    const leaving = selectHosts(cluster, nodes).map(({ name }) => name);
    const text = await readClusterFile(file);
    const edited = removeHosts(text, new Set(leaving));
    if (edited.type === 'refused')
      throw fail('USAGE', { message: edited.reason, help: 'Remove the hosts from the cluster file by hand.' });
    const after = withLogin(clusterIn(edited.text, file, extraVars), call.options);
    const session = await open();
    call.console.progress({ task: `Inspecting ${cluster.name}` });
    const { removal, warnings } = await abortOnInterrupt((signal) =>
      findRemoval(session, { after, leaving, unreachable, skipCleanup, force }, { workdir, signal }),
    );
    for (const warning of warnings) call.console.note(warning, 'warning');
    const unclean = leaving.filter((name) => !removal.reset.includes(name));
    return {
      pipeline: deleteNodesPipeline(removal),
      assets: { type: 'catalog', offline: false },
      removesHosts: removal.reset,
      selection: `--nodes ${leaving.toSorted().join(',')}`,
      before: async () => {
        await confirm(call, 'delete nodes', `Remove ${leaving.join(', ')} from cluster ${cluster.name}?`);
        // Before the first change, so that a killed run leaves hosts that can be reset.
        for (const name of unclean) await keepRemovedHost({ workdir, cluster: cluster.name, name }, text);
      },
      after: async () => {
        const old = await replaceClusterFile({ path: file, before: text, after: edited.text }, new Date());
        call.console.note(`Removed ${leaving.join(', ')} from ${file}; the old file is ${old}.`);
      },
    };
  };

function clusterIn(text: string, path: string, overrides: readonly string[]): Cluster {
  const { cluster, diagnostics } = checkClusterText(text, path, { env: process.env, overrides });
  if (cluster) return cluster;
  throw configInvalid(path, diagnostics);
}
