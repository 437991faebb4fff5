import { parse } from 'yaml';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { Secret } from '../../common/secret.ts';
import { chainProblems, sameCertificates } from '../../pki/chain.ts';
import { fieldOf, keysOf, textOf } from '../../util/json-fields.ts';

/** Administrator credentials of a kubeconfig, in PEM. */
export interface AdminCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly key: Secret;
}

/** A kubeconfig that a host provided. */
export interface HostKubeconfig {
  readonly text: string;
  readonly host: string;
  readonly path: string;
  /** The CA that the cluster is known to have; undefined on first contact. */
  readonly knownCa: string | undefined;
}

/**
 * Reads the credentials of a kubeconfig from a host. Whoever controls the host controls the file, and kubectl runs the
 * commands and uses the proxies that a kubeconfig names. So everything but certificates and a key is refused.
 */
export function adminCredentials({ text, host, path, knownCa }: HostKubeconfig): AdminCredentials {
  const refuse = (reason: string) => fail('KUBECONFIG_REFUSED', { host, path, reason });
  const config = parsed(text);
  if (config === undefined) throw refuse('it is not YAML');
  const [cluster, user] = [only(config, 'clusters', 'cluster'), only(config, 'users', 'user')];
  if (cluster === undefined || user === undefined) throw refuse('it must have exactly one cluster and one user');
  const unexpected = [...fieldsBeside(cluster, CLUSTER_FIELDS), ...fieldsBeside(user, USER_FIELDS)];
  if (unexpected.length > 0) throw refuse(`it has fields that kubexm does not write: ${unexpected.join(', ')}`);
  const credentials = {
    ca: decoded(cluster, 'certificate-authority-data'),
    certificate: decoded(user, 'client-certificate-data'),
    key: new Secret(decoded(user, 'client-key-data')),
  };
  const [problem] = chainProblems(credentials);
  if (problem !== undefined) throw refuse(problem);
  if (knownCa !== undefined && !sameCertificates(knownCa, credentials.ca))
    throw refuse('its CA certificate is not the CA of this cluster');
  return credentials;
}

const CLUSTER_FIELDS = ['server', 'certificate-authority-data'];
const USER_FIELDS = ['client-certificate-data', 'client-key-data'];

function parsed(text: string): Json | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function only(config: Json, list: string, name: string): Json | undefined {
  const entries = fieldOf(config, list) ?? null;
  const entry = Array.isArray(entries) && entries.length === 1 ? entries[0] : undefined;
  return entry === undefined ? undefined : fieldOf(entry, name);
}

const fieldsBeside = (value: Json, known: readonly string[]) => keysOf(value).filter((key) => !known.includes(key));

const decoded = (value: Json, name: string) => Buffer.from(textOf(value, name), 'base64').toString();
