import { isIP } from 'node:net';
import type { Role } from '../../common/host.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { canonical, isDnsName, isHostName } from '../value/address.ts';
import { expandRange, internalAddresses, rolesOf } from '../value/role-groups.ts';
import type { Addition } from './add-hosts.ts';
import { nameHosts } from './host-names.ts';

/** The hosts that `add nodes` is called with. */
export interface AdditionRequest {
  /** Addresses of new hosts, or names and addresses of hosts in the cluster file; ranges are allowed. */
  readonly nodes: readonly string[];
  readonly roles: readonly Role[];
  /** The names of the new hosts, in the order of their addresses. Chosen like those of the other hosts if empty. */
  readonly names: readonly string[];
  readonly user: string | undefined;
  readonly privateKeyPath: string | undefined;
}

/** What to add to the cluster file, or everything that is wrong with the request. */
export type ChosenAdditions =
  | { readonly type: 'additions'; readonly additions: readonly Addition[] }
  | { readonly type: 'invalid'; readonly problems: readonly string[] };

/** Resolves a request to additions: one for each host, also if the cluster file already has it in these roles. */
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

/** The names of a range such as node[1:3], or the text itself. */
export const expanded = (text: string): readonly string[] => {
  const range = expandRange(text);
  return range.type === 'names' ? range.names : [text];
};

interface AddressedHost {
  readonly name: string;
  readonly address: string;
  readonly internalAddress?: string | undefined;
}

/** The host with this name or one of its addresses. */
export const findHost = ({ hosts }: { readonly hosts: readonly AddressedHost[] }, node: string) =>
  hosts.find(({ name }) => name === node) ??
  hosts.find((host) => [host.address, ...internalAddresses(host)].map(canonical).includes(canonical(node)));

const repeatedNodes = (nodes: readonly string[]) =>
  nodes
    .filter((node, index) => nodes.findIndex((other) => canonical(other) === canonical(node)) < index)
    .map((node) => `${node} is listed twice`);

/** A DNS name has a dot, so that a misspelled host name is not mistaken for one. */
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

/** Why hosts cannot be added in a role, given the rest of the cluster file. */
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

/** With etcd.type kubeadm, the etcd group may list the masters; then it must list all of them. */
const withImpliedRoles = ({ etcd, roleGroups }: Spec, roles: readonly Role[]): readonly Role[] =>
  roles.includes('master') && etcd.type === 'kubeadm' && roleGroups.etcd.length > 0 ? [...roles, 'etcd'] : roles;

const zip = (keys: readonly string[], values: readonly string[]) =>
  keys.map((key, index) => [key, values[index] ?? key] as const);
