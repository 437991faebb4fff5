import { relative } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { isNode } from '../../common/host.ts';
import { expanded, findHost } from '../../config/edit/choose-additions.ts';
import { referencesTo, removeHosts } from '../../config/edit/remove-hosts.ts';
import { checkClusterText } from '../../config/load/check.ts';
import { configInvalid } from '../../config/load/load.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { withLogin } from '../../config/model/with-login.ts';
import { readClusterFile } from '../../config/source/read.ts';
import { deleteNodesPipeline } from '../../pipeline/nodes/delete.ts';
import { findRemoval } from '../../runtime/membership/find-removal.ts';
import { checkRemoval } from '../../runtime/membership/guards.ts';
import { selectHosts } from '../../runtime/session/select-hosts.ts';
import { checkReplaceable, replaceClusterFile, type FileChange } from '../../state/cluster-file.ts';
import { keepRemovedHost } from '../../state/removed-hosts.ts';
import { splitList } from '../../util/text.ts';
import { confirm } from '../confirm.ts';
import { diffText } from '../format/diff-text.ts';
import { fileDiff } from '../format/file-diff.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { clusterFlag } from '../options/cluster.ts';
import { drainSettings, type DrainOptionValues } from '../options/drain.ts';
import { checkChange } from './check-change.ts';
import { membershipNotes } from './membership-notes.ts';
import type { ChoosePipeline, PipelineCall } from './run-pipeline.ts';

/** An invocation of `delete nodes`. */
export interface RemovalCall extends PipelineCall {
  readonly options: PipelineCall['options'] &
    Omit<DrainOptionValues, 'deleteEmptydirData'> & {
      readonly skipCleanup: boolean;
      readonly unreachable: boolean;
    };
}

/** Plans the removal of the hosts in --nodes. The cluster file is changed after the hosts have left the cluster. */
export const chooseRemoval =
  (call: RemovalCall, nodes: readonly string[]): ChoosePipeline =>
  async ({ cluster, location }, open) => {
    const { console, options } = call;
    const { force, skipCleanup, unreachable } = options;
    const { file, workdir } = location;
    const leaving = selectLeaving(cluster, nodes);
    const names = new Set(leaving.map(({ name }) => name));
    const { after, change, warnings } = await withoutHosts(call, file, { before: cluster, leaving });
    const session = await open();
    console.progress({ task: `Inspecting ${cluster.name}` });
    const { removal, warnings: more } = await abortOnInterrupt((signal) =>
      findRemoval(session, { after, leaving: [...names], unreachable, skipCleanup, force }, { workdir, signal }),
    );
    const diff = fileDiff(change);
    const found = [...new Set([...more, ...warnings])];
    if (options.output !== 'json') {
      for (const warning of found) console.note(warning, 'warning');
      const text = `${diffText(diff, console.color)}\n`;
      if (options.dryRun) console.print(text);
      else console.note(text);
    }
    return {
      // The data in emptyDir volumes of a removed node is lost in any case.
      pipeline: deleteNodesPipeline(removal, drainSettings({ ...options, deleteEmptydirData: true })),
      assets: { type: 'catalog', offline: false },
      removesHosts: removal.reset,
      selection: `--nodes ${[...names].toSorted().join(',')}`,
      resumeCanStart: true,
      before: async () => {
        console.note(lossText(cluster, leaving, removal.reset));
        const command = `delete nodes --nodes ${[...names].join(',')}`;
        await confirm(call, command, `Remove ${[...names].join(', ')} from ${cluster.name}?`);
        // Recorded before the first change, so that the hosts can still be reset if the run is killed.
        for (const name of names)
          if (!removal.reset.includes(name))
            await keepRemovedHost({ workdir, cluster: cluster.name, name }, change.before);
      },
      after: async () => {
        const backup = await removeFromFile(file, names);
        console.note(`Removed ${[...names].join(', ')} from ${file}. The old file is ${relative('.', backup)}.`);
      },
      describe: (touched) => {
        const { lines, json } = membershipNotes(
          call,
          { location },
          { cluster, changed: names, as: 'removed' },
          touched,
        );
        return {
          lines,
          json: { ...json, clusterFile: { path: file, diff }, ...(found.length > 0 && { warnings: found }) },
        };
      },
    };
  };

/** Selects hosts by name, address, glob or role. */
function selectLeaving(cluster: Cluster, nodes: readonly string[]): readonly ClusterHost[] {
  if (nodes.length === 0)
    throw fail('USAGE', { message: '--nodes is missing.', help: 'kubexm delete nodes -f cluster.yaml --nodes node4' });
  const logins = cluster.hosts.map(({ name, login, internalAddresses }) => ({
    name,
    address: login.address,
    internalAddress: internalAddresses.join(','),
  }));
  return selectHosts(
    cluster,
    splitList(nodes)
      .flatMap(expanded)
      .map((node) => findHost({ hosts: logins }, node)?.name ?? node),
  );
}

interface Leaving {
  readonly before: Cluster;
  readonly leaving: readonly ClusterHost[];
}

/** Removes the hosts from the cluster file in memory. Throws if this is impossible or would make the file invalid. */
async function withoutHosts({ options }: RemovalCall, file: string, { before, leaving }: Leaving) {
  const names = new Set(leaving.map(({ name }) => name));
  const staying = { ...before, hosts: before.hosts.filter(({ name }) => !names.has(name)) };
  // These errors are more helpful than the errors about a cluster file without masters or etcd hosts.
  checkRemoval({ before, after: staying, leaving, members: [], stranded: [], force: options.force });
  const check = (text: string) => checkClusterText(text, file, { env: process.env, overrides: options.extraVars });
  const text = await readClusterFile(file);
  const old = check(text);
  if (!old.file) throw configInvalid(file, old.diagnostics);
  const references = referencesTo(old.file.spec, names);
  if (references.length > 0) throw fail('HOST_REFERENCED', { path: file, references: references.join('\n') });
  const change = { path: file, before: text, after: editedText(file, text, names) };
  const { cluster, warnings } = checkChange(file, old, check(change.after));
  await checkReplaceable(file);
  const messages = warnings.filter(({ rule }) => rule !== 'etcd-odd').map(({ path, message }) => `${path}: ${message}`);
  return { after: withLogin(cluster, options), change, warnings: messages };
}

function editedText(path: string, text: string, names: ReadonlySet<string>): string {
  const edited = removeHosts(text, names);
  if (edited.type === 'edited') return edited.text;
  throw fail('CLUSTER_FILE_NOT_EDITABLE', {
    path,
    reason: edited.reason,
    lines: `Write the entries of ${[...names].join(', ')} so that no anchor, alias or merge key connects them with others.`,
    command: `kubexm validate cluster ${clusterFlag({ file: path })}`,
  });
}

/** Reads the file again, because it may have been edited while the hosts were being removed. */
async function removeFromFile(path: string, names: ReadonlySet<string>): Promise<string> {
  const before = await readClusterFile(path);
  const change: FileChange = { path, before, after: editedText(path, before, names) };
  return replaceClusterFile(change, new Date());
}

/** Lists what is lost when the hosts leave. */
function lossText({ name: cluster, etcd }: Cluster, leaving: readonly ClusterHost[], reset: readonly string[]): string {
  const memberRole = etcd.type === 'kubexm' ? 'etcd' : etcd.type === 'kubeadm' ? 'master' : undefined;
  const lines = leaving.flatMap((host) => {
    const { name, roles, internalAddresses } = host;
    return [
      `  ${name} (${internalAddresses[0]}): ${roles.join(', ') || 'no role'}`,
      ...(isNode(host) ? ['    - its pods are evicted; their emptyDir and local volumes are lost'] : []),
      ...(memberRole && roles.includes(memberRole)
        ? ['    - its etcd member is removed, with the data on this host']
        : []),
      `    - the host is ${reset.includes(name) ? 'restored to its original state' : 'not reset'}`,
    ];
  });
  return [`These hosts leave ${cluster}:`, ...lines].join('\n');
}
