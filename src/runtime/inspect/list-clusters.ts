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
import { probeKubernetes, type KubernetesState } from '../probe/probe-kubernetes.ts';
import type { OnNewHostKey } from '../session/connect.ts';
import { openSession } from '../session/session.ts';

/**
 * `Unhealthy` if some nodes are not ready, `Unreachable` if no API server responds, `NotCreated` if it was never fully
 * created, `Unknown` if its cluster file is missing or invalid.
 */
export type ClusterStatus = 'Ready' | 'Unhealthy' | 'Unreachable' | 'NotCreated' | 'Unknown';

/** A cluster known on this machine. Part of the JSON output. */
export interface ClusterRow {
  readonly name: string;
  readonly status: ClusterStatus;
  /** Why it is not ready; empty if it is. */
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

/** Lists the clusters of all contexts and of the working directory, and probes them in parallel. */
export async function listClusters(
  workdir: string,
  signal: AbortSignal,
  onNewHostKey?: OnNewHostKey,
): Promise<readonly ClusterRow[]> {
  const { current, contexts } = await readContexts();
  const local = await clusterFoldersIn(resolve(workdir));
  const rows = await Promise.all([
    ...contexts.map((context) => rowOf(context, context.name === current, { signal, onNewHostKey })),
    ...local
      .filter((found) => !contexts.some((context) => isSame(context, found)))
      .map((found) => rowOf(found, false, { signal, onNewHostKey })),
  ]);
  return rows.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** A cluster from a context or, without a cluster file, from its folder. */
type KnownCluster = Omit<Context, 'file'> & { readonly file?: string };

const isSame = (one: KnownCluster, other: KnownCluster) =>
  one.name === other.name && resolve(one.workdir) === other.workdir;

/** Folders without state and runs belong to hosts, not to clusters. */
async function clusterFoldersIn(workdir: string): Promise<readonly KnownCluster[]> {
  const entries = await readdir(join(workdir, '.kubexm'), { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const [text, runs] = await Promise.all([readAppliedState(workdir, name), listRuns(workdir, name)]);
      return text !== '' || runs.length > 0 ? [{ name, workdir }] : [];
    });
  return (await Promise.all(found)).flat();
}

interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly onNewHostKey: OnNewHostKey | undefined;
}

async function rowOf(known: KnownCluster, current: boolean, options: ProbeOptions): Promise<ClusterRow> {
  const { name, file = '', workdir } = known;
  const applied = readApplied(await readAppliedState(workdir, name));
  const base = { name, file, workdir, current, ...appliedRow(applied) };
  if (file === '') return { ...base, status: 'Unknown', why: 'no context refers to its cluster file' };
  try {
    const cluster = await loadCluster(file);
    return { ...base, ...clusterRow(cluster), ...(await probedRow(cluster, workdir, applied, options)) };
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
  const countWith = (role: string) => roles.filter((list) => Array.isArray(list) && list.includes(role)).length;
  return {
    version: textOf(kubernetes, 'version'),
    masters: countWith('master'),
    workers: countWith('worker'),
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

async function probedRow(
  cluster: Cluster,
  workdir: string,
  applied: AppliedState | undefined,
  { signal, onNewHostKey }: ProbeOptions,
): Promise<Pick<ClusterRow, 'status' | 'why'> & Partial<ClusterRow>> {
  await using session = await openSession(cluster, workdir, onNewHostKey);
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const limited = signalWithTimeout([signal], PROBE_TIMEOUT_MS);
  const state = await probeKubernetes(session, { masters, pods: false, signal: limited });
  signal.throwIfAborted();
  if (state.master !== undefined) return liveRow(state, cluster);
  const why = [...state.reasons].map(([host, reason]) => `${host}: ${reason}`).join('; ');
  return applied ? { status: 'Unreachable', why } : { status: 'NotCreated', why };
}

/** Limits the wait for clusters that do not respond. */
const PROBE_TIMEOUT_MS = 20_000;

function liveRow({ nodes, created }: KubernetesState, cluster: Cluster) {
  const ready = nodes.filter(({ status }) => status === 'Ready');
  const expected = cluster.hosts.filter(isNode).length;
  const all = Math.max(expected, nodes.length);
  const version = nodes.find(({ roles }) => roles.includes('control-plane'))?.version.replace(/^v/, '');
  return {
    ...(version && { version }),
    created,
    ...(ready.length === all
      ? { status: 'Ready' as const, why: '' }
      : { status: 'Unhealthy' as const, why: `${ready.length} of ${all} nodes ready` }),
  };
}
