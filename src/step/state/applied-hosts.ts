import { ROLES, type Role } from '../../common/host.ts';
import type { AppliedState } from '../../config/model/applied.ts';
import { itemsOf, textOf, textsOf } from '../../util/json-fields.ts';

/** The roles of each host as of the last successful run, by host name. */
export type AppliedHosts = ReadonlyMap<string, readonly Role[]>;

/** The hosts in an applied state; undefined if it is from a version that did not list them. */
export function appliedHosts({ spec }: Pick<AppliedState, 'spec'>): AppliedHosts | undefined {
  const hosts = itemsOf(spec, 'hosts').map((host) => [textOf(host, 'name'), rolesOf(host)] as const);
  return hosts.length === 0 ? undefined : new Map(hosts);
}

/** The etcd members in an applied state, as "name address" in alphabetical order. */
export const appliedEtcdMembers = ({ spec }: Pick<AppliedState, 'spec'>): readonly string[] =>
  itemsOf(spec, 'hosts')
    .filter((host) => rolesOf(host).includes('etcd'))
    .map((host) => `${textOf(host, 'name')} ${textsOf(host, 'internalAddresses')[0]}`)
    .toSorted();

const rolesOf = (host: Parameters<typeof textsOf>[0]) => textsOf(host, 'roles').filter(isRole);

const isRole = (text: string): text is Role => ROLES.some((role) => role === text);
