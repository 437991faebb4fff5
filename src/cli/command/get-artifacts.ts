import type { ArtifactInfo } from '../../resource/inspect.ts';
import type { FileItem, ImageItem } from '../../resource/item.ts';
import { ARCHES } from '../../common/host.ts';
import { defineCommand } from '../command.ts';
import { clusterOptions, locateCluster } from '../options/cluster.ts';
import { tableOrJson } from '../options/output.ts';

export const getArtifacts = defineCommand({
  path: 'get artifacts',
  summary: 'List the files and images that a cluster needs',
  description: 'Reads the cluster file and the cache on this machine. Does not download anything.',
  options: {
    ...clusterOptions,
    output: tableOrJson,
    arch: {
      type: 'choice',
      choices: ARCHES,
      default: 'amd64',
      summary: 'architecture of hosts that do not set arch in the cluster file',
    },
    askHosts: { type: 'flag', summary: 'detect the architecture of the hosts over SSH instead of using --arch' },
  },
  examples: [
    { command: 'kubexm get artifacts -f cluster.yaml', does: 'List all artifacts with their size and checksum' },
    { command: 'kubexm get artifacts -f cluster.yaml -o json', does: 'Print full checksums as JSON' },
  ],
  async run({ options, global, console }) {
    const { file, workdir } = await locateCluster(options, global);
    const { loadCluster } = await import('../../config/load/load.ts');
    const { findArches } = await import('../../runtime/plan/find-arches.ts');
    const { catalogOf } = await import('../../resource/catalog/cluster-artifacts.ts');
    const { openDownloader } = await import('../../resource/download/downloader.ts');
    const { inspectFile, inspectImage } = await import('../../resource/inspect.ts');
    const cluster = await loadCluster(file, { overrides: options.extraVars });
    const catalog = catalogOf(cluster, await findArches(cluster, workdir, options.askHosts ? undefined : options.arch));
    await using downloader = await openDownloader(cluster.artifacts, { offline: true });
    const files = await Promise.all(
      catalog.files.map(async (item) => ({ item, known: await inspectFile(downloader, item) })),
    );
    const images = await Promise.all(
      catalog.images.map(async (item) => ({ item, known: await inspectImage(downloader, item) })),
    );
    const { warnings } = catalog;
    if (options.output === 'json') return console.json(listingJson(cluster.name, { files, images, warnings }));
    for (const warning of warnings) console.note(warning, 'note');
    await console.table(
      ['NAME', 'VERSION', 'ARCH', 'SIZE', 'SHA256', 'FROM', 'URL'],
      [
        ...files.map(({ item, known }) => row(item, item.arch ?? 'any', known, item.url)),
        ...images.map(({ item, known }) => row(item, item.arches.join(','), known, item.ref)),
      ],
    );
  },
});

const row = (
  { name, version }: FileItem | ImageItem,
  arch: string,
  { size, sha256, from }: ArtifactInfo,
  location: string,
) => [
  name,
  version,
  arch,
  size === undefined ? '' : `${(size / 1e6).toFixed(1)} MB`,
  sha256?.slice(0, 12) ?? '',
  from,
  location,
];

interface Listing {
  readonly files: readonly { readonly item: FileItem; readonly known: ArtifactInfo }[];
  readonly images: readonly { readonly item: ImageItem; readonly known: ArtifactInfo }[];
  readonly warnings: readonly string[];
}

const listingJson = (cluster: string, { files, images, warnings }: Listing) => ({
  cluster,
  files: files.map(({ item: { name, version, arch, url, roles, path }, known }) => {
    const listed = { name, version, arch, url, roles, path };
    return { ...listed, ...known };
  }),
  images: images.map(({ item: { name, version, arches, ref, roles }, known }) => {
    const listed = { name, version, arches, ref, roles };
    return { ...listed, ...known };
  }),
  warnings,
});
