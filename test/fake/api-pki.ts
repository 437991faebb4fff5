import { issueCa, issueCertificate, type Pair } from '../../src/pki/issue.ts';
import { makeKey } from '../../src/pki/key.ts';

/** The CA of a cluster, a certificate for its API servers and one for its administrator. */
export interface ApiPki {
  readonly ca: string;
  readonly server: Pair;
  readonly admin: Pair & { readonly ca: string };
}

export async function createApiPki(names: readonly string[] = ['kubernetes']): Promise<ApiPki> {
  const key = await makeKey();
  const ca: Pair = { key, certificate: await issueCa({ name: 'ca', commonName: 'kubernetes', days: 10 }, key) };
  const issue = async (name: string, usage: 'server' | 'client', dns: readonly string[]): Promise<Pair> => {
    const own = await makeKey();
    const request = { name, commonName: name, days: 5, renewDays: 1, usages: [usage], dns };
    return { key: own, certificate: await issueCertificate(request, own, ca) };
  };
  const [server, admin] = [await issue('kube-apiserver', 'server', names), await issue('admin', 'client', [])];
  return { ca: ca.certificate, server, admin: { ...admin, ca: ca.certificate } };
}
