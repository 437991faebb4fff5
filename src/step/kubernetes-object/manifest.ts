import { createHash } from 'node:crypto';
import { parseAllDocuments } from 'yaml';
import { fail } from '../../common/errors/errors.ts';
import type { StepContext } from '../contract/part.ts';

/** An object of Kubernetes, as a manifest has it. */
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

/** Where objects come from; undefined while it is not on this machine. */
export type ObjectSource = (ctx: StepContext) => Promise<readonly Manifest[] | undefined>;

/** The objects of a source that must be here by now. */
export async function objectsOf(ctx: StepContext, name: string, source: ObjectSource): Promise<readonly Manifest[]> {
  const objects = await source(ctx);
  if (!objects) throw fail('ASSET_MISSING', { host: ctx.host.name, item: name });
  return objects;
}

/** The objects of a YAML file that somebody else wrote. */
export function parseManifests(text: string, from: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [fault] = document.errors;
      if (fault) throw fail('MANIFEST_INVALID', { from, reason: fault.message });
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

/** As people name it: "DaemonSet kube-system/calico-node". */
export const titleOf = ({ kind, metadata: { name, namespace } }: Manifest): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** Tells by one look whether an object of a cluster is the one that we wrote. */
export const APPLIED = 'kubexm.mensylisir.io/applied';

/** The object with the sum of itself. */
export function withChecksum(object: Manifest): Manifest {
  const annotations = { ...object.metadata.annotations, [APPLIED]: checksumOf(JSON.stringify(object)) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Tells texts apart. */
export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
