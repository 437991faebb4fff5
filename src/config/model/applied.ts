import { createHash } from 'node:crypto';
import type { Json } from '../../common/json.ts';
import { masked } from '../../common/secret.ts';
import type { Cluster } from './cluster.ts';
import { withoutSecrets } from '../draft/print.ts';

/** What a cluster was made to be, as it is kept beside its certificates and in the cluster itself. */
export interface AppliedState {
  readonly kind: 'ClusterState';
  readonly cluster: string;
  /** Of kubexm. */
  readonly kubexm: string;
  /** The run that made it so. */
  readonly run: string;
  /** ISO 8601: when the cluster was first complete, and when something of it last changed. */
  readonly created: string;
  readonly applied: string;
  /** Of each component, by its name. */
  readonly versions: Readonly<Record<string, string>>;
  /** The cluster file with every default; of secrets only where they come from. */
  readonly spec: Json;
  /** Sums of the files that decide how a node works, by host and path. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The cluster as it may be written down. Scripts may hold secrets that nothing tells from other words: only their sums stay. */
export function appliedSpec(cluster: Cluster): Json {
  const { system } = cluster;
  const summed = (scripts: typeof system.preInstall) => scripts.map((each) => ({ ...each, bash: sumOf(each.bash) }));
  const written = {
    ...cluster,
    system: { ...system, preInstall: summed(system.preInstall), postInstall: summed(system.postInstall) },
  };
  // Twice: the first turns secrets into what stands for them.
  return withoutKnownSecrets(JSON.parse(JSON.stringify(withoutSecrets(JSON.parse(JSON.stringify(written))))));
}

const sumOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

function withoutKnownSecrets(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutKnownSecrets);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutKnownSecrets(each)]));
}

/** Undefined when it is no state, or one that is not whole. */
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
