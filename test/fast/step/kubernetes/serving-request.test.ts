import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import {
  isPending,
  requesterOf,
  requestProblems,
  type ServingRequest,
} from '../../../../src/step/kubernetes/serving-request.ts';

const cluster = await loadCluster('test/fixtures/kubeadm.yaml');
const node = cluster.hosts.find(({ name }) => name === 'node4')!;
const [address] = node.internalAddresses;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

interface Names {
  readonly subject?: string;
  readonly dns?: readonly string[];
  readonly ips?: readonly string[];
  readonly emails?: readonly string[];
}

/** A request as the kubelet of node4 sends it, with other names or fields. */
async function request(names: Names = {}, spec: Partial<ServingRequest['spec']> = {}): Promise<ServingRequest> {
  const { subject = 'O=system:nodes, CN=system:node:node4', dns = ['node4'], ips = [address], emails = [] } = names;
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const all = [
    ...dns.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
    ...emails.map((value) => ({ type: 'email' as const, value })),
  ];
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: all.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(all)],
  });
  return {
    metadata: { name: 'csr-1' },
    spec: {
      signerName: 'kubernetes.io/kubelet-serving',
      username: 'system:node:node4',
      groups: ['system:nodes', 'system:authenticated'],
      usages: ['digital signature', 'server auth'],
      request: Buffer.from(csr.toString('pem')).toString('base64'),
      ...spec,
    },
  };
}

describe('a request for the serving certificate of a kubelet', () => {
  it('is approved for the name and the addresses of the host', async () => {
    expect(await requestProblems(await request(), node)).toEqual([]);
    expect(await requestProblems(await request({ dns: [] }), node)).toEqual([]);
  });

  it.each<readonly [what: string, names: Names, spec: Partial<ServingRequest['spec']>, problem: string]>([
    ['the address of another host', { ips: [address, '10.0.0.1'] }, {}, 'other names or addresses than 10.0.0.1'],
    ['another name', { dns: ['node4', 'kubernetes.default'] }, {}, 'other names or addresses than kubernetes.default'],
    ['an email address', { emails: ['a@example.com'] }, {}, 'other names or addresses than a@example.com'],
    ['the common name of another node', { subject: 'O=system:nodes, CN=system:node:node1' }, {}, 'common name'],
    ['a powerful group', { subject: 'O=system:masters, CN=system:node:node4' }, {}, 'organization'],
    ['no names', { dns: [], ips: [] }, {}, 'it has no names'],
    ['usage as a client', {}, { usages: ['client auth'] }, 'usage client auth'],
    ['a user outside the group of nodes', {}, { groups: ['system:authenticated'] }, 'not sent by a member'],
    ['nonsense', {}, { request: 'bm9uc2Vuc2U=' }, 'not a valid certificate signing request'],
  ])('is not approved with %s', async (_, names, spec, problem) => {
    expect((await requestProblems(await request(names, spec), node)).join()).toContain(problem);
  });

  it('belongs to the node that sent it', async () => {
    expect(requesterOf(await request(), cluster.hosts)?.name).toBe('node4');
    for (const username of ['system:node:node9', 'system:serviceaccount:default:node4', 'node4'])
      expect(requesterOf(await request({}, { username }), cluster.hosts)).toBeUndefined();
  });

  it('is pending until someone decides', async () => {
    const open = await request();
    expect(isPending(open)).toBe(true);
    expect(isPending({ ...open, status: { conditions: [{ type: 'Denied' }] } })).toBe(false);
    const signerName = 'kubernetes.io/kube-apiserver-client';
    expect(isPending({ ...open, spec: { ...open.spec, signerName } })).toBe(false);
  });
});
