import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { lookAtKubernetes } from '../probe/probe-kubernetes.ts';
import type { NodeSeen } from '../probe/kubernetes-objects.ts';
import type { Session } from '../session/session.ts';

/** How a host stands to the cluster: as Kubernetes says, not a node yet, none at all by its roles, or nobody can tell. */
export type NodeStatus = NodeSeen['status'] | 'NotJoined' | 'NoNode';

/** A host of the file and the node that it is; or a node that the file does not know. */
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

/** All nodes, and why Kubernetes could not be asked, if so. */
export interface NodeList {
  readonly nodes: readonly NodeRow[];
  /** By the name of the master; empty when one answered. */
  readonly silent: ReadonlyMap<string, string>;
}

/** The nodes of a cluster beside the hosts of its file. */
export async function listNodes(session: Session, stop: AbortSignal): Promise<NodeList> {
  const { cluster } = session;
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const look = await lookAtKubernetes(session, { masters, pods: false, signal: stop });
  stop.throwIfAborted();
  if (look.master === undefined) return { nodes: joinNodes(cluster, undefined), silent: look.reasons };
  return { nodes: joinNodes(cluster, look.nodes), silent: new Map() };
}

/** Hosts in the order of the file, then nodes that it does not know. */
export function joinNodes({ hosts }: Cluster, seen: readonly NodeSeen[] | undefined): readonly NodeRow[] {
  const known = new Map(seen?.map((node) => [node.name, node]));
  const named = new Set(hosts.map(({ name }) => name));
  return [
    ...hosts.map((host) => rowOf(host, known.get(host.name), seen !== undefined)),
    ...[...known.values()].filter(({ name }) => !named.has(name)).map((node) => ({ ...node, inFile: false })),
  ];
}

function rowOf(host: ClusterHost, node: NodeSeen | undefined, asked: boolean): NodeRow {
  const { name, roles, internalAddresses } = host;
  if (node) return { ...node, roles, inFile: true };
  const [status, why] = statusOf(host, asked);
  const blank = { version: '', runtime: '', system: '', kernel: '', created: undefined, schedulable: true };
  return { ...blank, name, roles, status, why, address: internalAddresses[0], inFile: true };
}

function statusOf(host: ClusterHost, asked: boolean): readonly [NodeStatus, string] {
  if (!isNode(host)) return ['NoNode', ''];
  return asked ? ['NotJoined', 'it has not joined the cluster'] : ['Unknown', 'no API server answers'];
}
