import { isNode } from '../../common/host.ts';
import type { ClusterHost } from '../../config/model/cluster.ts';
import { canonical } from '../../config/value/address.ts';
import { requestedNames } from '../../pki/signing-request.ts';

/** The fields of a CertificateSigningRequest object that decide about its approval. */
export interface ServingRequest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly signerName: string;
    readonly username?: string;
    readonly groups?: readonly string[];
    readonly usages?: readonly string[];
    /** The request in PEM, as base64. */
    readonly request: string;
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

export const KUBELET_SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

/** Whether nobody has decided about a request for a kubelet serving certificate yet. */
export const isPending = ({ spec, status }: ServingRequest): boolean =>
  spec.signerName === KUBELET_SERVING_SIGNER && (status?.conditions ?? []).length === 0;

/** The host whose kubelet sent the request. */
export const requesterOf = ({ spec }: ServingRequest, hosts: readonly ClusterHost[]): ClusterHost | undefined =>
  hosts.find((host) => isNode(host) && spec.username === `system:node:${host.name}`);

/**
 * Why a request must not be approved; empty if it may. A certificate for other names or addresses would allow a node to
 * impersonate them towards the API servers.
 */
export async function requestProblems({ spec }: ServingRequest, host: ClusterHost): Promise<readonly string[]> {
  const names = await requestedNames(Buffer.from(spec.request, 'base64').toString());
  if (names === undefined) return ['it is not a valid certificate signing request'];
  const node = `system:node:${host.name}`;
  const addresses = new Set(host.internalAddresses.map(canonical));
  const foreign = [
    ...names.dns.filter((name) => name !== host.name),
    ...names.ips.filter((ip) => !addresses.has(canonical(ip))),
    ...names.others,
  ];
  return [
    ...(spec.groups?.includes(NODES) ? [] : [`it was not sent by a member of ${NODES}`]),
    ...(names.commonName === node ? [] : [`its common name is ${names.commonName}, not ${node}`]),
    ...(names.organizations.join(',') === NODES ? [] : [`its organization is not ${NODES}`]),
    ...(names.dns.length + names.ips.length > 0 ? [] : ['it has no names']),
    ...(foreign.length === 0 ? [] : [`the cluster file has other names or addresses than ${foreign.join(', ')}`]),
    ...(spec.usages ?? []).filter((usage) => !USAGES.has(usage)).map((usage) => `it asks for the usage ${usage}`),
  ];
}

const NODES = 'system:nodes';
const USAGES: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'server auth']);
