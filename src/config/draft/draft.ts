import { isIP } from 'node:net';
import { INTERNAL_LOAD_BALANCERS } from '../data/choices.ts';
import { DEFAULT_VERSION } from '../data/kubernetes-releases.ts';
import { API_VERSION } from '../schema/cluster.ts';
import { canonical } from '../value/address.ts';
import { expandRange } from '../value/role-groups.ts';

/** The input for a new cluster file. Roles list host names or addresses, or ranges such as node[1:3]. */
export interface DraftOptions {
  readonly name: string;
  /** Each host as "name=address" or only an address. */
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

/** Returns the content of a new cluster file. Roles that the options do not set get sensible defaults. */
export function draftCluster(options: DraftOptions): object {
  const hosts = draftHosts(options);
  const roles = chooseRoles(hosts, options);
  return {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name: options.name },
    spec: {
      hosts: hosts.map(({ name, address }) => ({
        name,
        address,
        user: options.user,
        ...(options.key !== undefined && { privateKeyPath: options.key }),
      })),
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

interface DraftHost {
  readonly name: string;
  readonly address: string;
}

/** Returns the hosts given with --host, and one host for each additional address in a role. */
function draftHosts({ host, master, etcd, worker, loadbalancer }: DraftOptions): readonly DraftHost[] {
  const named = expand(host).map((text) => ({
    name: text.includes('=') ? text.slice(0, text.indexOf('=')) : undefined,
    address: text.slice(text.indexOf('=') + 1),
  }));
  const known = new Set(named.map(({ address }) => canonical(address)));
  const unnamed = expand([...master, ...etcd, ...worker, ...loadbalancer])
    .filter((entry) => isIP(entry) !== 0 && !known.has(canonical(entry)))
    .map(canonical);
  const all = [...named, ...[...new Set(unnamed)].map((address) => ({ name: undefined, address }))];
  return withNames(all.length > 0 ? all : [{ name: undefined, address: '198.51.100.11' }]);
}

/** Names unnamed hosts by position, such as node2, or uses the next number if the name is taken. */
function withNames(
  hosts: readonly { readonly name: string | undefined; readonly address: string }[],
): readonly DraftHost[] {
  const taken = new Set(hosts.map(({ name }) => name));
  return hosts.map(({ name, address }, index) => {
    if (name !== undefined) return { name, address };
    let number = index + 1;
    while (taken.has(`node${number}`)) number++;
    taken.add(`node${number}`);
    return { name: `node${number}`, address };
  });
}

/** Expands ranges. Keeps an invalid range, so that validation of the cluster file reports it. */
const expand = (entries: readonly string[]): readonly string[] =>
  entries.flatMap((entry) => {
    const range = expandRange(entry);
    return range.type === 'names' ? range.names : [entry];
  });

function chooseRoles(hosts: readonly DraftHost[], options: DraftOptions) {
  const names = hosts.map(({ name }) => name);
  const namesOf = (entries: readonly string[]) =>
    expand(entries).map((entry) =>
      names.includes(entry)
        ? entry
        : (hosts.find(({ address }) => canonical(address) === canonical(entry))?.name ?? entry),
    );
  const loadbalancer = namesOf(options.loadbalancer);
  const nodes = names.filter((name) => !loadbalancer.includes(name));
  const masters = options.master.length > 0 ? namesOf(options.master) : nodes.slice(0, nodes.length >= 5 ? 3 : 1);
  const others = nodes.filter((name) => !masters.includes(name));
  const defaultWorkers = others.length > 0 ? others : masters;
  return {
    ...(options.etcdType === 'kubexm' && { etcd: options.etcd.length > 0 ? namesOf(options.etcd) : masters }),
    master: masters,
    worker: options.worker.length > 0 ? namesOf(options.worker) : defaultWorkers,
    ...(loadbalancer.length > 0 && { loadbalancer }),
  };
}

function chooseEndpoint(masters: number, { balancer, vip }: DraftOptions) {
  const type = balancer ?? (masters > 1 ? 'haproxy' : '');
  const isInternal = INTERNAL_LOAD_BALANCERS.some((internal) => internal === type);
  return {
    ...(type !== '' && { [isInternal ? 'internalLoadbalancer' : 'externalLoadBalancer']: type }),
    domain: 'lb.kubexm.local',
    ...(vip !== undefined && { lb_address: vip }),
    port: 6443,
  };
}
