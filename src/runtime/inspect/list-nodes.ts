import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { listRemovedHosts } from '../../state/removed-hosts.ts';
import { probeKubernetes } from '../probe/probe-kubernetes.ts';
import type { NodeInfo } from '../probe/kubernetes-objects.ts';
import type { Session } from '../session/session.ts';

/** The node status in Kubernetes; `NotJoined` if it is not a node yet, `NoNode` if its roles do not make it one. */
export type NodeStatus = NodeInfo['status'] | 'NotJoined' | 'NoNode';

/** A host of the cluster file with its node, or a node that is not in the cluster file. Part of the JSON output. */
export interface NodeRow {
  readonly name: string;
  readonly roles: readonly string[];
  readonly status: NodeStatus;
  readonly why: string;
  readonly schedulable: boolean;
  readonly version: string;
  readonly address: string;
  readonly runtime: string;
  readonly system: string;
  readonly kernel: string;
  readonly created: Date | undefined;
  readonly inFile: boolean;
}

/** All nodes, and the errors if no API server responded. */
export interface NodeList {
  readonly nodes: readonly NodeRow[];
  /** By master name; empty if one responded. */
  readonly masterErrors: ReadonlyMap<string, string>;
  /** Hosts that were removed from the cluster without being reset. */
  readonly removedHosts: readonly string[];
}

/** Lists the nodes of a cluster together with the hosts of its cluster file. */
export async function listNodes(session: Session, workdir: string, stop: AbortSignal): Promise<NodeList> {
  const { cluster } = session;
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const [state, removedHosts] = await Promise.all([
    probeKubernetes(session, { masters, pods: false, signal: stop }),
    listRemovedHosts({ workdir, cluster: cluster.name }),
  ]);
  stop.throwIfAborted();
  return state.master === undefined
    ? { nodes: joinNodes(cluster, undefined), masterErrors: state.reasons, removedHosts }
    : { nodes: joinNodes(cluster, state.nodes), masterErrors: new Map(), removedHosts };
}

/** Returns hosts in cluster file order, then nodes that are not in it. Nodes are undefined if no API server responded. */
export function joinNodes({ hosts }: Cluster, nodes: readonly NodeInfo[] | undefined): readonly NodeRow[] {
  const byName = new Map(nodes?.map((node) => [node.name, node]));
  const inFile = new Set(hosts.map(({ name }) => name));
  return [
    ...hosts.map((host) => rowOf(host, byName.get(host.name), nodes !== undefined)),
    ...[...byName.values()].filter(({ name }) => !inFile.has(name)).map((node) => ({ ...node, inFile: false })),
  ];
}

function rowOf(host: ClusterHost, node: NodeInfo | undefined, apiResponded: boolean): NodeRow {
  const { name, roles, internalAddresses } = host;
  if (node) return { ...node, roles, inFile: true };
  const [status, why] = statusOf(host, apiResponded);
  const blank = { version: '', runtime: '', system: '', kernel: '', created: undefined, schedulable: true };
  return { ...blank, name, roles, status, why, address: internalAddresses[0], inFile: true };
}

function statusOf(host: ClusterHost, apiResponded: boolean): readonly [NodeStatus, string] {
  if (!isNode(host)) return ['NoNode', ''];
  return apiResponded ? ['NotJoined', 'has not joined the cluster'] : ['Unknown', 'no API server responded'];
}
