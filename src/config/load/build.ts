import type {
  Addon,
  Cluster,
  ClusterHost,
  Endpoint,
  Etcd,
  ExternalLoadBalancer,
  InternalLoadBalancer,
  Jump,
  Registry,
} from '../model/cluster.ts';
import { isCis } from '../model/security.ts';
import type { NetworkPlugin } from '../model/network-plugins.ts';
import type { TimeSync } from '../model/system.ts';
import { toCidrs } from '../value/address.ts';
import { joinCidrs } from '../schema/network.ts';
import { hostsWithRole, internalAddresses, rolesOf } from '../value/role-groups.ts';
import type { ClusterFile, Spec } from '../schema/cluster.ts';

/** Converts a valid cluster file to the cluster model. */
export function build({ metadata, spec }: ClusterFile): Cluster {
  const { ntpServers, ...system } = spec.system;
  const { clusterName: dnsDomain, ...kubernetes } = spec.kubernetes;
  return {
    name: metadata.name,
    hosts: spec.hosts.map((host) => buildHost(spec, host)),
    hostKeys: spec.hostKeys,
    firstMaster: hostsWithRole(spec, 'master')[0] ?? '',
    endpoint: buildEndpoint(spec.controlPlaneEndpoint),
    system: { ...system, time: buildTime(ntpServers, spec.hosts) },
    kubernetes: {
      ...kubernetes,
      dnsDomain,
      audit: kubernetes.audit ?? isCis(spec),
      encryptionAtRest: kubernetes.encryptionAtRest ?? isCis(spec),
    },
    security: spec.security,
    etcd: buildEtcd(spec.etcd),
    network: {
      podCidrs: toCidrs(spec.network.kubePodsCIDR).map(({ text }) => text),
      serviceCidrs: toCidrs(spec.network.kubeServiceCIDR).map(({ text }) => text),
      multus: spec.network.multus,
      plugin: buildPlugin(spec.network),
    },
    registry: buildRegistry(spec),
    storage: spec.storage,
    dns: spec.dns,
    addons: spec.addons.map(buildAddon),
    extra: spec.extra,
    artifacts: spec.artifacts,
  };
}

function buildHost(spec: Spec, host: Spec['hosts'][number]): ClusterHost {
  const { name, arch, labels, taints, address, port, user, password, privateKey, passphrase, jump, hostKey, timeout } =
    host;
  const [primary = address, ...others] = internalAddresses(host);
  const hasNoCredentials = password === undefined && privateKey === undefined;
  return {
    name,
    roles: rolesOf(spec, name),
    internalAddresses: [primary, ...others],
    arch,
    labels,
    taints,
    login: {
      address,
      port,
      user,
      password,
      privateKey,
      privateKeyPath: host.privateKeyPath ?? (hasNoCredentials ? '~/.ssh/id_rsa' : undefined),
      passphrase,
      sudoPassword: host.sudoPassword ?? password,
      jump: buildJump(spec, jump),
      timeoutMs: timeout,
      hostKey,
    },
  };
}

function buildJump({ hosts }: Spec, jump: Spec['hosts'][number]['jump']): Jump | undefined {
  if (jump === undefined) return undefined;
  const none = { password: undefined, privateKey: undefined, privateKeyPath: undefined, passphrase: undefined };
  if (typeof jump !== 'string') return { type: 'machine', ...none, user: undefined, hostKey: undefined, ...jump };
  if (hosts.some(({ name }) => name === jump)) return { type: 'host', name: jump };
  const [, user, address = jump, port = '22'] = /^(?:(.+)@)?(.+?)(?::(\d+))?$/.exec(jump) ?? [];
  return { type: 'machine', ...none, address, port: Number(port), user, hostKey: undefined };
}

function buildEndpoint(block: Spec['controlPlaneEndpoint']): Endpoint {
  const { domain, port, externalDNS } = block;
  return { domain, port, externalDNS, external: buildExternal(block), internal: buildInternal(block) };
}

function buildExternal({
  externalLoadBalancer: type,
  lb_address: address,
  keepalived,
}: Spec['controlPlaneEndpoint']): ExternalLoadBalancer {
  switch (type) {
    case '':
      return { type: 'none' };
    case 'external':
      return { type, address: address || undefined };
    case 'kubexm-kh':
    case 'kubexm-kn':
      return { type, address, keepalived };
  }
}

function buildInternal({
  internalLoadbalancer: type,
  lb_address: address,
  kubevip,
}: Spec['controlPlaneEndpoint']): InternalLoadBalancer {
  switch (type) {
    case '':
      return { type: 'none' };
    case 'haproxy':
    case 'nginx':
      return { type };
    case 'kube-vip':
      return { type, address, mode: kubevip.mode, interface: kubevip.interface, bgp: kubevip.bgp };
  }
}

function buildTime(servers: readonly string[], hosts: Spec['hosts']): TimeSync {
  const host = servers.find((server) => hosts.some(({ name }) => name === server));
  if (host !== undefined) return { type: 'in-cluster', host, upstream: servers.filter((server) => server !== host) };
  return servers.length > 0 ? { type: 'outside', servers } : { type: 'none' };
}

function buildEtcd({ type, external, ...tuning }: Spec['etcd']): Etcd {
  if (type !== 'external') return { type, ...tuning };
  return {
    type,
    endpoints: external?.endpoints ?? [],
    caFile: external?.caFile,
    certFile: external?.certFile,
    keyFile: external?.keyFile,
  };
}

function buildPlugin(network: Spec['network']): NetworkPlugin {
  const { plugin: type, version, calico, flannel, cilium, kubeOvn, ippool } = network;
  switch (type) {
    case 'calico':
      return {
        type,
        version,
        blockSize: ippool.blockSize,
        ...calico,
        ipipMode: calico.ipipMode ?? (calico.vxlanMode === 'Never' ? 'Always' : 'Never'),
      };
    case 'flannel':
      return { type, version, ...flannel };
    case 'cilium':
      return { type, version, ...cilium };
    case 'kube-ovn':
      return { type, version, values: kubeOvn.values, joinCidrs: joinCidrs(network) };
    case 'none':
      return { type };
  }
}

function buildRegistry({ registry, roleGroups }: Spec): Registry {
  const { type, namespaceOverride, auths, privateRegistry, version, registryDataDir: dataDir, harbor } = registry;
  const base = { namespaceOverride, auths };
  const name = privateRegistry || 'dockerhub.kubexm.local';
  const { anonymousPull } = registry;
  switch (type) {
    case '':
      if (roleGroups.registry.length > 0) return { ...base, type: 'registry', name, version, dataDir, anonymousPull };
      return privateRegistry ? { ...base, type: 'external', name } : { ...base, type: 'none' };
    case 'external':
      return { ...base, type, name };
    case 'registry':
      return { ...base, type, name, version, dataDir, anonymousPull };
    case 'harbor':
      return { ...base, type, name, version, dataDir, adminPassword: harbor.adminPassword, trivy: harbor.trivy };
  }
}

function buildAddon({ name, namespace, values, valuesFile, wait, type, source }: Spec['addons'][number]): Addon {
  const base = { name, namespace, values, valuesFile, wait };
  return type === undefined ? { ...base, type: 'catalog' } : { ...base, type, source: source ?? {} };
}
