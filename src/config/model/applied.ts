import { createHmac } from 'node:crypto';
import type { Json } from '../../common/json.ts';
import { masked } from '../../common/secret.ts';
import type { Cluster } from './cluster.ts';
import { maskSecrets } from './secrets.ts';

/** The state that the last successful run applied. It is stored with the certificates and in the cluster. */
export interface AppliedState {
  readonly kind: 'ClusterState';
  readonly cluster: string;
  /** The version of kubexm. */
  readonly kubexm: string;
  /** The id of the run that applied it. */
  readonly run: string;
  /** When the cluster was first complete (ISO 8601). */
  readonly created: string;
  /** When the state last changed (ISO 8601). */
  readonly applied: string;
  /** Versions by component. */
  readonly versions: Readonly<Record<string, string>>;
  /** The cluster file with all defaults; literal secrets are masked, free-form values are digests. */
  readonly spec: Json;
  /** Checksums of the files that configure a node, by host and path. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Replaces a value by a digest that reveals nothing about it, but changes with it. */
export type Digest = (text: string) => string;

/** A digest with a key of this machine: without it, short secrets cannot be guessed from their digests. */
export const keyedDigest =
  (key: string): Digest =>
  (text) =>
    `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;

/**
 * The cluster without secrets. In free-form values secrets cannot be recognized, so only their digests are kept, which is
 * enough to detect changes.
 */
export function appliedSpec(cluster: Cluster, digest: Digest): Json {
  // Conversion to JSON already masks the Secret objects.
  const spec: Json = JSON.parse(JSON.stringify(cluster));
  return maskKnownSecrets(withoutFreeForm(spec, digest));
}

/** The fields whose content kubexm does not define: scripts, flags, configuration of other programs, chart values. */
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

/** The query of a URL can contain a signature that grants access. */
const URL_QUERY = /^(\w+:\/\/[^?]*\?)(.+)$/s;

/** Keeps the names of fields, which tell what changed, and the shape. */
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

/** Parses the stored state; undefined if it is invalid or incomplete. */
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
