import type { ClusterDescription } from '../../runtime/inspect/describe-cluster.ts';

/** Returns the output of `describe cluster -o json`. Field names never change. */
export function descriptionJson(description: ClusterDescription): object {
  const { cluster, applied, ...found } = description;
  const { endpoint, network, registry, addons, etcd, kubernetes } = cluster;
  return {
    name: cluster.name,
    status: found.status,
    created: found.created,
    kubernetes: { type: kubernetes.type, wanted: kubernetes.version, found: found.versions },
    containerRuntime: { type: kubernetes.containerRuntime.type, found: found.runtimes },
    network: { plugin: network.plugin.type, pods: network.podCidrs, services: network.serviceCidrs },
    endpoint: {
      domain: endpoint.domain,
      port: endpoint.port,
      external: endpoint.external.type,
      internal: endpoint.internal.type,
    },
    registry: registry.type === 'none' ? null : { type: registry.type, name: registry.name },
    addons: addons.map(({ name, type }) => ({ name, type })),
    nodes: found.nodes,
    etcd: { type: etcd.type, members: found.etcd },
    certificates: found.certificates,
    lastOperation: found.lastOperation ?? null,
    applied: applied
      ? { at: applied.applied, run: applied.run, kubexm: applied.kubexm, versions: applied.versions }
      : null,
    conditions: found.conditions,
    removedHosts: found.removedHosts,
    at: found.at,
  };
}
