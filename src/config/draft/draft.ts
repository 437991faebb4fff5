import { DEFAULT_VERSION } from '../data/kubernetes-releases.ts';
import { API_VERSION } from '../schema/cluster.ts';

/** What a new cluster file is made from. */
export interface DraftOptions {
  readonly name: string;
  /** "name=address", or an address alone. */
  readonly host: readonly string[];
  readonly master: readonly string[];
  readonly etcd: readonly string[];
  readonly worker: readonly string[];
  readonly loadbalancer: readonly string[];
  readonly user: string;
  readonly key: string | undefined;
  readonly kubernetesVersion: string | undefined;
  readonly type: string;
  readonly etcdType: string;
  readonly runtime: string;
  readonly network: string;
  readonly balancer: string | undefined;
  readonly vip: string | undefined;
  readonly podsCidr: string | undefined;
  readonly servicesCidr: string | undefined;
}

/** The values of a new cluster file: what was asked for, and sensible roles for the rest. */
export function draftCluster(options: DraftOptions): object {
  const hosts = (options.host.length > 0 ? options.host : ['198.51.100.11']).map((text, index) =>
    toHost(text, index, options),
  );
  const roles = chooseRoles(
    hosts.map(({ name }) => name),
    options,
  );
  return {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name: options.name },
    spec: {
      hosts,
      roleGroups: roles,
      controlPlaneEndpoint: chooseEndpoint(roles.master.length, options),
      kubernetes: {
        type: options.type,
        version: `v${(options.kubernetesVersion ?? DEFAULT_VERSION).replace(/^v/, '')}`,
        containerRuntime: { type: options.runtime },
      },
      etcd: { type: options.etcdType },
      network: {
        plugin: options.network,
        kubePodsCIDR: options.podsCidr ?? '10.233.64.0/18',
        kubeServiceCIDR: options.servicesCidr ?? '10.233.0.0/18',
      },
    },
  };
}

function toHost(text: string, index: number, { user, key }: DraftOptions) {
  const equals = text.indexOf('=');
  const name = equals < 0 ? `node${index + 1}` : text.slice(0, equals);
  return { name, address: text.slice(equals + 1), user, ...(key !== undefined && { privateKeyPath: key }) };
}

function chooseRoles(names: readonly string[], { master, etcd, worker, loadbalancer, etcdType }: DraftOptions) {
  const free = names.filter((name) => !loadbalancer.includes(name));
  const masters = master.length > 0 ? master : free.slice(0, free.length >= 5 ? 3 : 1);
  const others = free.filter((name) => !masters.includes(name));
  const members = etcd.length > 0 ? etcd : masters;
  return {
    ...(etcdType === 'kubexm' && { etcd: members }),
    master: masters,
    worker: worker.length > 0 ? worker : others.length > 0 ? others : masters,
    ...(loadbalancer.length > 0 && { loadbalancer }),
  };
}

function chooseEndpoint(masters: number, { balancer, vip }: DraftOptions) {
  const type = balancer ?? (masters > 1 ? 'haproxy' : '');
  const inside = ['haproxy', 'nginx', 'kube-vip'].includes(type);
  return {
    ...(type !== '' && { [inside ? 'internalLoadbalancer' : 'externalLoadBalancer']: type }),
    domain: 'lb.kubexm.local',
    ...(vip !== undefined && { lb_address: vip }),
    port: 6443,
  };
}
