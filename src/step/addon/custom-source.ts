import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assets } from '../../resource/assets.ts';
import { hashFile } from '../../resource/cache/hash.ts';
import { packageChart, readChart } from '../../resource/chart.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Addon } from '../../config/model/cluster.ts';
import { catalogChart } from '../kubernetes-object/catalog-chart.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import type { Chart } from '../kubernetes-object/helm-release.ts';
import { parseManifests, type Manifest, type ObjectSource } from '../kubernetes-object/manifest.ts';
import type { StepView } from '../contract/part.ts';

type CustomAddon = Exclude<Addon, { readonly type: 'catalog' }>;

/** The objects of a custom manifest: a downloaded file, or a local file or folder. */
export function customManifest({ name, source, namespace }: CustomAddon, assets: Assets, view: StepView): ObjectSource {
  const { path } = source;
  const inNamespace = (objects: readonly Manifest[]) => [...namespaceFor(objects, namespace), ...objects];
  if (path !== undefined) return async () => inNamespace(await readManifests(path));
  return catalogManifest(assets, `${name}-manifest`, view, inNamespace);
}

/** A custom chart: a downloaded archive, or a local archive or folder. */
export function customChart(
  { name, source }: CustomAddon,
  assets: Assets,
  view: StepView,
): () => Promise<Chart | undefined> {
  const { path } = source;
  if (path !== undefined) return () => localChart(path, name, join(assets.folder, 'addons', `${name}.tgz`));
  return catalogChart(assets, `${name}-chart`, view);
}

async function localChart(path: string, name: string, target: string): Promise<Chart> {
  try {
    const file = await packageChart(path, name, target);
    return { path: file, ...(await hashFile(file)), ...(await readChart(file)) };
  } catch (error) {
    throw asFileError(path, error);
  }
}

/** Reads a manifest file, or all manifests of a folder sorted by name. */
async function readManifests(path: string): Promise<readonly Manifest[]> {
  try {
    const names = (await stat(path)).isDirectory() ? (await readdir(path)).filter(isManifestName).sort() : undefined;
    const files = names?.map((name) => join(path, name)) ?? [path];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return texts.flatMap((text, index) => parseManifests(text, files[index] ?? path));
  } catch (error) {
    throw asFileError(path, error);
  }
}

const isManifestName = (name: string) => /\.(ya?ml|json)$/.test(name);

const asFileError = (path: string, error: unknown) =>
  error instanceof Error && 'errno' in error ? fail('ADDON_FILE', { path, reason: error.message }, error) : error;

/** The namespace for objects without one, unless it exists in every cluster or is among the objects. */
const namespaceFor = (objects: readonly Manifest[], name: string | undefined): readonly Manifest[] =>
  name === undefined ||
  ['default', 'kube-system', 'kube-public', 'kube-node-lease'].includes(name) ||
  objects.some((object) => object.kind === 'Namespace' && object.metadata.name === name)
    ? []
    : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }];
