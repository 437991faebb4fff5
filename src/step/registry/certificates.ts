import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Cluster } from '../../config/model/cluster.ts';
import type { PkiRequest } from '../../pki/request.ts';
import { pkiFiles } from '../common/pki-files.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { registryHost, type ManagedRegistry } from './managed-registry.ts';

/** The local folder of the registry certificates; hosts trust its ca.crt. */
export const registryCertificates = (folder: string) => join(folder, 'certs', 'registry');

export const CA = 'ca';
export const SERVER_CERTIFICATE = 'registry';

/** Creates the registry CA and the server certificate on this machine. */
export const makeRegistryCertificates = (cluster: Cluster, registry: ManagedRegistry, folder: string): Step =>
  defineStep({
    name: 'registry.certificates',
    summary: 'Issue the registry certificates',
    parts: () => [pkiFiles({ folder: registryCertificates(folder), request: certificatesOf(cluster, registry) })],
  });

/** The server certificate is valid for the name of the registry and for all names and addresses of its host. */
export function certificatesOf(cluster: Cluster, registry: ManagedRegistry): PkiRequest {
  const { name, internalAddresses, login } = registryHost(cluster);
  const [domain = registry.name] = registry.name.split(':');
  const names = [...new Set([domain, name, 'localhost', login.address, ...internalAddresses, '127.0.0.1'])];
  return {
    ca: { name: CA, commonName: `${cluster.name} registry`, days: TEN_YEARS },
    certificates: [
      {
        name: SERVER_CERTIFICATE,
        commonName: domain,
        dns: names.filter((each) => isIP(each) === 0),
        ips: names.filter((each) => isIP(each) !== 0),
        usages: ['server'],
        days: TWO_YEARS,
        renewDays: 90,
      },
    ],
  };
}

const TEN_YEARS = 3650;
const TWO_YEARS = 730;
