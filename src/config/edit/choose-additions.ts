import { isIP } from 'node:net';
import type { Role } from '../../common/host.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { canonical, isDnsName, isHostName } from '../value/address.ts';
import { expandRange, internalAddresses, rolesOf } from '../value/role-groups.ts';
import type { Addition } from './add-hosts.ts';
import { nameHosts } from './host-names.ts';

/** The hosts in an `add nodes` command. */
export interface AdditionRequest {
  /** Addresses of new hosts, or names and addresses of hosts in the cluster file; ranges are allowed. */
  readonly nodes: readonly string[];
  readonly roles: readonly Role[];
  /**
   * The names of the new hosts, in the order of their addresses. If empty, names follow the pattern of existing hosts.
   */
  readonly names: readonly string[];
  readonly user: string | undefined;
  readonly privateKeyPath: string | undefined;
}

/** The additions to the cluster file, or all problems with the request. */
export type ChosenAdditions =
  | { readonly type: 'additions'; readonly additions: readonly Addition[] }
  | { readonly type: 'invalid'; readonly problems: readonly string[] };

/**
 * Converts a request to additions, one for each host, even if the cluster file already lists the host in these roles.
 */
export function chooseAdditions(spec: Spec, request: AdditionRequest): ChosenAdditions {
  const nodes = request.nodes.flatMap(expanded);
  const found = nodes.map((node) => ({ node, host: findHost(spec, node) }));
  const addresses = found.filter(({ host }) => !host).map(({ node }) => node);
  const problems = [
    ...repeatedNodes(nodes),
    ...addresses.filter((node) => !isAddress(node)).map(notAnAddress),
    ...(addresses.length > 0 && request.roles.length === 0 ? [`--role is required for ${addresses.join(', ')}`] : []),
    ...nameProblems(spec, request.names.flatMap(expanded), addresses),
    ...request.roles.flatMap((role) => roleProblem(spec, role) ?? []),
  ];
  if (problems.length > 0) return { type: 'invalid', problems };
  const names = new Map(zip(addresses, chosenNames(spec, request, addresses)));
  const { user, privateKeyPath } = request;
  const roles = withImpliedRoles(spec, request.roles);
  return {
    type: 'additions',
    additions: found.map(({ node, host }) => ({
      name: host?.name ?? names.get(node) ?? node,
      roles,
      fields: host ? undefined : { address: canonical(node), user, privateKeyPath },
    })),
  };
}

/** Returns the names in a range such as node[1:3], or the text itself. */
export const expanded = (text: string): readonly string[] => {
  const range = expandRange(text);
  return range.type === 'names' ? range.names : [text];
};

interface AddressedHost {
  readonly name: string;
  readonly address: string;
  readonly internalAddress?: string | undefined;
}

/** Finds a host by name or address. */
export const findHost = ({ hosts }: { readonly hosts: readonly AddressedHost[] }, node: string) =>
  hosts.find(({ name }) => name === node) ??
  hosts.find((host) => [host.address, ...internalAddresses(host)].map(canonical).includes(canonical(node)));

const repeatedNodes = (nodes: readonly string[]) =>
  nodes
    .filter((node, index) => nodes.findIndex((other) => canonical(other) === canonical(node)) < index)
    .map((node) => `${node} is listed twice`);

/**
 * Returns whether a text is an address. A DNS name must have a dot, so that a misspelled host name is not mistaken for
 * one.
 */
const isAddress = (node: string) => isIP(node) !== 0 || (isDnsName(node) && node.includes('.'));

const notAnAddress = (node: string) => `${quoted(node)} is neither a host in the cluster file nor an address`;

function nameProblems({ hosts }: Spec, names: readonly string[], addresses: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const taken = new Map(hosts.map(({ name, address }) => [name, address]));
  return [
    ...(names.length === addresses.length
      ? []
      : [`--names has ${names.length} names for ${addresses.length} new addresses`]),
    ...names.flatMap((name, index) => {
      if (!isHostName(name)) return [`${quoted(name)} is not a valid host name: use a-z, 0-9, - and dots`];
      if (taken.has(name)) return [`${name} is already the name of ${taken.get(name)}`];
      return names.indexOf(name) < index ? [`--names lists ${name} twice`] : [];
    }),
  ];
}

/** Explains why hosts cannot be added in a role, given the rest of the cluster file. */
function roleProblem({ etcd, controlPlaneEndpoint: { externalLoadBalancer } }: Spec, role: Role): string | undefined {
  if (role === 'registry') return 'the registry role cannot be added; see kubexm create registry --help';
  if (role === 'etcd' && etcd.type === 'kubeadm')
    return 'etcd runs on the masters, because spec.etcd.type is kubeadm; use --role master';
  if (role === 'etcd' && etcd.type === 'external')
    return 'kubexm does not manage this etcd, because spec.etcd.type is external';
  if (role === 'loadbalancer' && externalLoadBalancer !== 'kubexm-kh' && externalLoadBalancer !== 'kubexm-kn')
    return `the loadbalancer role requires spec.controlPlaneEndpoint.externalLoadBalancer kubexm-kh or kubexm-kn, but it is ${quoted(externalLoadBalancer)}`;
  return undefined;
}

function chosenNames(spec: Spec, { names, roles }: AdditionRequest, addresses: readonly string[]): readonly string[] {
  if (names.length > 0) return names.flatMap(expanded);
  const similar = spec.hosts.filter(({ name }) => rolesOf(spec, name).some((role) => roles.includes(role)));
  return nameHosts(addresses, spec.hosts, similar);
}

/**
 * Adds the etcd role to masters if etcd.type is kubeadm and the etcd group lists the masters, because it must list all
 * of them.
 */
const withImpliedRoles = ({ etcd, roleGroups }: Spec, roles: readonly Role[]): readonly Role[] =>
  roles.includes('master') && etcd.type === 'kubeadm' && roleGroups.etcd.length > 0 ? [...roles, 'etcd'] : roles;

const zip = (keys: readonly string[], values: readonly string[]) =>
  keys.map((key, index) => [key, values[index] ?? key] as const);
