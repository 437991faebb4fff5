import { createHash } from 'node:crypto';
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
  /** The cluster file with all defaults; literal secrets are masked. */
  readonly spec: Json;
  /** Checksums of the files that configure a node, by host and path. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The cluster without secrets. Scripts are replaced by their checksums, because secrets in them cannot be recognized. */
export function appliedSpec(cluster: Cluster): Json {
  const { system } = cluster;
  const withChecksums = (scripts: typeof system.preInstall) =>
    scripts.map((each) => ({ ...each, bash: checksumOf(each.bash) }));
  const state = {
    ...cluster,
    system: { ...system, preInstall: withChecksums(system.preInstall), postInstall: withChecksums(system.postInstall) },
  };
  // The inner conversion to JSON already masks the Secret objects.
  return maskKnownSecrets(JSON.parse(JSON.stringify(maskSecrets(JSON.parse(JSON.stringify(state))))));
}

const checksumOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

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
