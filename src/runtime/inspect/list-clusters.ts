import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isNode } from '../../common/host.ts';
import { KubexmError } from '../../common/errors/errors.ts';
import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { loadCluster } from '../../config/load/load.ts';
import { readAppliedState } from '../../state/cluster-state.ts';
import { readContexts, type Context } from '../../state/contexts.ts';
import { listRuns } from '../../state/runs.ts';
import { fieldOf, textOf } from '../../util/json-fields.ts';
import { signalWithTimeout } from '../../util/abort-signal.ts';
import { lookAtKubernetes, type KubernetesLook } from '../probe/probe-kubernetes.ts';
import { openSession } from '../session/session.ts';

/** Ready, not all nodes are; nobody answers; it was never made whole; or its file cannot be used. */
export type ClusterStatus = 'Ready' | 'Unhealthy' | 'Unreachable' | 'NotCreated' | 'Unknown';

/** A cluster that is known on this machine. */
export interface ClusterRow {
  readonly name: string;
  readonly status: ClusterStatus;
  /** Why, when it is not ready. */
  readonly why: string;
  readonly version: string;
  readonly masters: number;
  readonly workers: number;
  readonly created: Date | undefined;
  readonly runtime: string;
  readonly network: string;
  readonly file: string;
  readonly workdir: string;
  readonly current: boolean;
}

/** All clusters of contexts, and those that left a folder in this working directory; each is asked how it is, all at once. */
export async function listClusters(workdir: string, signal: AbortSignal): Promise<readonly ClusterRow[]> {
  const { current, contexts } = await readContexts();
  const here = await foldersIn(resolve(workdir));
  const rows = await Promise.all([
    ...contexts.map((context) => rowOf(context, context.name === current, signal)),
    ...here
      .filter((found) => !contexts.some((context) => isSame(context, found)))
      .map((found) => rowOf(found, false, signal)),
  ]);
  return rows.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** A cluster of which at least the folder is known. */
type Known = Omit<Context, 'file'> & { readonly file?: string };

const isSame = (one: Known, other: Known) => one.name === other.name && resolve(one.workdir) === other.workdir;

/** Folders with a state or runs; the others belong to hosts. */
async function foldersIn(workdir: string): Promise<readonly Known[]> {
  const entries = await readdir(join(workdir, '.kubexm'), { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const [text, runs] = await Promise.all([readAppliedState(workdir, name), listRuns(workdir, name)]);
      return text !== '' || runs.length > 0 ? [{ name, workdir }] : [];
    });
  return (await Promise.all(found)).flat();
}

async function rowOf(known: Known, current: boolean, signal: AbortSignal): Promise<ClusterRow> {
  const { name, file = '', workdir } = known;
  const applied = readApplied(await readAppliedState(workdir, name));
  const base = { name, file, workdir, current, ...appliedRow(applied) };
  if (file === '') return { ...base, status: 'Unknown', why: 'no context names its file' };
  try {
    const cluster = await loadCluster(file);
    return { ...base, ...clusterRow(cluster), ...(await askedRow(cluster, workdir, applied, signal)) };
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    return { ...base, status: 'Unknown', why: error.report.title };
  }
}

function appliedRow(applied: AppliedState | undefined) {
  const spec = applied?.spec ?? null;
  const kubernetes = fieldOf(spec, 'kubernetes') ?? null;
  const hosts = fieldOf(spec, 'hosts') ?? null;
  const roles = Array.isArray(hosts) ? hosts.map((host) => fieldOf(host, 'roles')) : [];
  const having = (role: string) => roles.filter((list) => Array.isArray(list) && list.includes(role)).length;
  return {
    version: textOf(kubernetes, 'version'),
    masters: having('master'),
    workers: having('worker'),
    created: applied && new Date(applied.created),
    runtime: textOf(fieldOf(kubernetes, 'containerRuntime') ?? null, 'type'),
    network: textOf(fieldOf(fieldOf(spec, 'network') ?? null, 'plugin') ?? null, 'type'),
  };
}

const clusterRow = ({ hosts, kubernetes, network }: Cluster) => ({
  version: kubernetes.version,
  masters: hosts.filter(({ roles }) => roles.includes('master')).length,
  workers: hosts.filter(({ roles }) => roles.includes('worker')).length,
  runtime: kubernetes.containerRuntime.type,
  network: network.plugin.type,
});

async function askedRow(
  cluster: Cluster,
  workdir: string,
  applied: AppliedState | undefined,
  signal: AbortSignal,
): Promise<Pick<ClusterRow, 'status' | 'why'> & Partial<ClusterRow>> {
  await using session = await openSession(cluster, workdir);
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const patience = signalWithTimeout([signal], PATIENCE_MS);
  const look = await lookAtKubernetes(session, { masters, pods: false, signal: patience });
  signal.throwIfAborted();
  if (look.master !== undefined) return answeredRow(look, cluster);
  const why = [...look.reasons].map(([host, reason]) => `${host}: ${reason}`).join('; ');
  return applied ? { status: 'Unreachable', why } : { status: 'NotCreated', why };
}

/** One cluster that is away does not keep the list from being read. */
const PATIENCE_MS = 20_000;

function answeredRow({ nodes, created }: KubernetesLook, cluster: Cluster) {
  const ready = nodes.filter(({ status }) => status === 'Ready');
  const wanted = cluster.hosts.filter(isNode).length;
  const all = Math.max(wanted, nodes.length);
  const version = nodes.find(({ roles }) => roles.includes('control-plane'))?.version.replace(/^v/, '');
  return {
    ...(version && { version }),
    created,
    ...(ready.length === all
      ? { status: 'Ready' as const, why: '' }
      : { status: 'Unhealthy' as const, why: `${ready.length} of ${all} nodes ready` }),
  };
}
