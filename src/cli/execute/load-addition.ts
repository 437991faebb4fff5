import { resolve } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { shortenHome } from '../../common/home.ts';
import { ROLES, type Role } from '../../common/host.ts';
import { addHosts, type Addition } from '../../config/edit/add-hosts.ts';
import { linesToAdd } from '../../config/edit/by-hand.ts';
import { chooseAdditions } from '../../config/edit/choose-additions.ts';
import type { Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import { checkClusterText, type Checked } from '../../config/load/check.ts';
import { configInvalid } from '../../config/load/load.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { withLogin } from '../../config/model/with-login.ts';
import { readClusterFile } from '../../config/source/read.ts';
import { localHosts } from '../../runtime/membership/applied-hosts.ts';
import { withoutOtherAdditions } from '../../runtime/membership/without-other-additions.ts';
import { checkReplaceable, type FileChange } from '../../state/cluster-file.ts';
import { splitList } from '../../util/text.ts';
import { clusterFlag, locateCluster } from '../options/cluster.ts';
import { checkChange } from './check-change.ts';
import type { LocatedCluster, PipelineCall } from './run-pipeline.ts';

/** The options of `add nodes` that specify hosts. */
export interface AdditionOptions {
  readonly nodes: readonly string[];
  readonly role: readonly string[];
  readonly names: readonly string[];
}

/** The cluster, including the hosts in --nodes. */
export interface LocatedAddition extends LocatedCluster {
  /** The hosts to add; undefined for all hosts in the cluster file. */
  readonly selected: ReadonlySet<string> | undefined;
  /** The change to the cluster file, if it does not contain the hosts yet. */
  readonly change: FileChange | undefined;
  /** Warnings caused by the change. */
  readonly warnings: readonly Diagnostic[];
}

/** Loads the cluster file and adds the hosts in --nodes to it in memory. Throws if the result would be invalid. */
export async function loadAddition(call: PipelineCall, given: AdditionOptions): Promise<LocatedAddition> {
  const { options, global } = call;
  const location = await locateCluster(options, global);
  const { file, workdir } = location;
  const check = (text: string) => checkClusterText(text, file, { env: process.env, overrides: options.extraVars });
  const text = await readClusterFile(file);
  const before = check(text);
  if (!before.cluster || !before.file) throw configInvalid(file, before.diagnostics);
  if (given.nodes.length === 0) {
    refuseWithoutNodes(given);
    const cluster = withLogin(before.cluster, options);
    return { cluster, diagnostics: before.diagnostics, location, selected: undefined, change: undefined, warnings: [] };
  }
  const additions = additionsOf(before.file.spec, call, given);
  const edited = addHosts(text, additions);
  if (edited.type === 'refused')
    throw fail('CLUSTER_FILE_NOT_EDITABLE', {
      path: file,
      reason: edited.reason,
      lines: linesToAdd(additions),
      command: ['kubexm add nodes', clusterFlag(options)].filter(Boolean).join(' '),
    });
  const after = checkChange(file, before, edited.text === text ? before : check(edited.text));
  if (edited.text !== text) await checkReplaceable(file);
  const selected = new Set(additions.map(({ name }) => name));
  const applied = await localHosts(workdir, after.cluster.name);
  const cluster = applied ? withoutOtherAdditions(after.cluster, applied, selected) : after.cluster;
  return {
    cluster: withLoginOf(cluster, selected, call),
    diagnostics: after.diagnostics,
    location,
    selected,
    change: edited.text === text ? undefined : { path: file, before: text, after: edited.text },
    warnings: after.warnings,
  };
}

function refuseWithoutNodes({ role, names }: AdditionOptions): void {
  const flag = role.length > 0 ? '--role' : names.length > 0 ? '--names' : undefined;
  if (flag !== undefined)
    throw fail('USAGE', {
      message: `${flag} requires --nodes.`,
      help: 'kubexm add nodes --nodes 10.0.0.14 --role worker',
    });
}

type Spec = NonNullable<Checked['file']>['spec'];

function additionsOf(spec: Spec, { options }: PipelineCall, given: AdditionOptions): readonly Addition[] {
  const key = options.sshPrivateKey;
  const chosen = chooseAdditions(spec, {
    nodes: splitList(given.nodes),
    roles: splitList(given.role).map(toRole),
    names: splitList(given.names),
    user: options.sshUser,
    privateKeyPath: key === undefined ? undefined : shortenHome(resolve(key)),
  });
  if (chosen.type === 'additions') return chosen.additions;
  throw fail('NODES_INVALID', { command: 'add nodes', problems: chosen.problems.join('\n') });
}

function toRole(text: string): Role {
  const role = ROLES.find((each) => each === (text === 'control-plane' ? 'master' : text));
  if (role) return role;
  throw fail('USAGE', { message: `--role ${text} is not a role.`, help: 'Roles: worker, master, etcd, loadbalancer' });
}

/** Applies the SSH flags only to the new hosts, because the other hosts have their logins in the cluster file. */
function withLoginOf(cluster: Cluster, selected: ReadonlySet<string>, { options }: PipelineCall): Cluster {
  const overridden = withLogin(cluster, options);
  return {
    ...overridden,
    hosts: cluster.hosts.map((host, index) => (selected.has(host.name) ? (overridden.hosts[index] ?? host) : host)),
  };
}
