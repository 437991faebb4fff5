import { createHash } from 'node:crypto';
import { parseAllDocuments } from 'yaml';
import { fail } from '../../common/errors/errors.ts';
import type { StepContext } from '../contract/part.ts';

/** A Kubernetes object in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Returns objects; undefined until their manifest is downloaded. */
export type ObjectSource = (ctx: StepContext) => Promise<readonly Manifest[] | undefined>;

/** The objects of a source that must be downloaded by now. */
export async function objectsOf(ctx: StepContext, name: string, source: ObjectSource): Promise<readonly Manifest[]> {
  const objects = await source(ctx);
  if (!objects) throw fail('ASSET_MISSING', { host: ctx.host.name, item: name });
  return objects;
}

/** Parses an upstream manifest. */
export function parseManifests(text: string, from: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw fail('MANIFEST_INVALID', { from, reason: error.message });
      return document.toJS() as unknown;
    })
    .filter((object) => object !== null && object !== undefined)
    .map((object) => {
      if (!isManifest(object)) throw fail('MANIFEST_INVALID', { from, reason: 'an object has no kind or name' });
      return object;
    });
}

function isManifest(object: unknown): object is Manifest {
  if (typeof object !== 'object' || object === null) return false;
  const { apiVersion, kind, metadata } = object as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

/** "DaemonSet kube-system/calico-node" */
export const titleOf = ({ kind, metadata: { name, namespace } }: Manifest): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** The annotation with the checksum of the object that kubexm applied. */
export const APPLIED = 'kubexm.mensylisir.io/applied';

/** Adds the checksum annotation to an object. */
export function withChecksum(object: Manifest): Manifest {
  const annotations = { ...object.metadata.annotations, [APPLIED]: checksumOf(JSON.stringify(object)) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** A short checksum of a text. */
export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
