import { createHmac } from 'node:crypto';
import type { Json } from '../../common/json.ts';
import { masked } from '../../common/secret.ts';
import type { Cluster } from './cluster.ts';
import { maskSecrets } from './secrets.ts';

/** The state that the last successful run applied. It is stored in the cluster directory and in the cluster. */
export interface AppliedState {
  readonly kind: 'ClusterState';
  readonly cluster: string;
  /** The version of kubexm. */
  readonly kubexm: string;
  /** The ID of the run that applied this state. */
  readonly run: string;
  /** When the cluster was created (ISO 8601). */
  readonly created: string;
  /** When the state last changed (ISO 8601). */
  readonly applied: string;
  /** Installed versions, by component. */
  readonly versions: Readonly<Record<string, string>>;
  /** The cluster file with all defaults. Secrets are masked; free-form values are replaced by digests. */
  readonly spec: Json;
  /** Checksums of the configuration files on the nodes, by host and path. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Computes a digest that changes with the value but does not reveal it. */
export type Digest = (text: string) => string;

/**
 * Returns an HMAC digest. Without the key, which stays on this machine, short secrets cannot be guessed from digests.
 */
export const keyedDigest =
  (key: string): Digest =>
  (text) =>
    `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;

/**
 * Returns the cluster without secrets. Secrets in free-form values cannot be recognized, so digests replace these
 * values; digests are enough to detect changes.
 */
export function appliedSpec(cluster: Cluster, digest: Digest): Json {
  // JSON.stringify already masks Secret objects.
  const spec: Json = JSON.parse(JSON.stringify(cluster));
  return maskKnownSecrets(withoutFreeForm(spec, digest));
}

/** Fields with free-form content: scripts, flags, configuration of other programs and chart values. */
export const FREE_FORM_FIELDS: ReadonlySet<string> = new Set([
  'bash',
  'extraArgs',
  'values',
  'kubeletConfiguration',
  'kubeProxyConfiguration',
  'additionalConfigs',
  'rewriteBlock',
  'dnsEtcHosts',
]);

function withoutFreeForm(value: Json, digest: Digest, name = ''): Json {
  if (typeof value === 'string') return String(maskSecrets(digestQuery(value, digest), name));
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((each) => withoutFreeForm(each, digest, name));
  const fields = Object.entries(value).map(([key, each]) => [
    key,
    FREE_FORM_FIELDS.has(key) ? digestLeaves(each, digest) : withoutFreeForm(each, digest, key),
  ]);
  return Object.fromEntries(fields);
}

const digestQuery = (text: string, digest: Digest) =>
  text.replace(URL_QUERY, (_, url: string, query: string) => url + digest(query));

/** The query string of a URL can contain a signature that grants access. */
const URL_QUERY = /^(\w+:\/\/[^?]*\?)(.+)$/s;

/** Replaces values with digests, but keeps the field names and structure, which show what changed. */
function digestLeaves(value: Json, digest: Digest): Json {
  if (value === '') return value;
  if (typeof value !== 'object' || value === null) return digest(JSON.stringify(value));
  if (isList(value)) return value.map((each) => digestLeaves(each, digest));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, digestLeaves(each, digest)]));
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function maskKnownSecrets(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskKnownSecrets);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskKnownSecrets(each)]));
}

/** Parses the stored state. Returns undefined if it is invalid or incomplete. */
export function readApplied(text: string): AppliedState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isApplied(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isApplied = (value: unknown): value is AppliedState =>
  typeof value === 'object' &&
  value !== null &&
  Reflect.get(value, 'kind') === 'ClusterState' &&
  TEXTS.every((key) => typeof Reflect.get(value, key) === 'string') &&
  OBJECTS.every((key) => typeof Reflect.get(value, key) === 'object' && Reflect.get(value, key) !== null);

const TEXTS = ['cluster', 'kubexm', 'run', 'created', 'applied'];
const OBJECTS = ['versions', 'spec', 'files'];
