import type { FileState } from '../../artifact/inspect.ts';
import type { Catalog } from '../../artifact/item.ts';
import { ARCHES } from '../../common/host.ts';
import { clusterOptions, placeOf } from '../cluster-options.ts';
import { defineCommand } from '../command.ts';

export const getArtifacts = defineCommand({
  path: 'get artifacts',
  summary: 'List the files and images that a cluster needs',
  description: 'Reads the cluster file and what is on this machine; nothing is downloaded.',
  options: {
    ...clusterOptions,
    output: { type: 'choice', short: 'o', choices: ['table', 'json'], default: 'table', summary: 'how it is printed' },
    arch: { type: 'choice', choices: ARCHES, default: 'amd64', summary: 'of hosts that the file tells none of' },
    askHosts: { type: 'flag', summary: 'ask those hosts instead' },
  },
  examples: [
    { command: 'kubexm get artifacts -f cluster.yaml', does: 'What is needed, and what is here already?' },
    { command: 'kubexm get artifacts -f cluster.yaml -o json', does: 'With every sum, for scripts' },
  ],
  async run({ options, global, console }) {
    const { file, workdir } = await placeOf(options, global);
    const { loadCluster } = await import('../../config/load.ts');
    const { findArches } = await import('../../runtime/find-arches.ts');
    const { catalogOf } = await import('../../artifact/catalog/catalog.ts');
    const { openDepot } = await import('../../artifact/download/depot.ts');
    const { inspectFile } = await import('../../artifact/inspect.ts');
    const cluster = await loadCluster(file, { overrides: options.extraVars });
    const catalog = catalogOf(cluster, await findArches(cluster, workdir, options.askHosts ? undefined : options.arch));
    await using depot = await openDepot(cluster.artifacts, { offline: true });
    const files = await Promise.all(catalog.files.map((item) => inspectFile(depot, item)));
    if (options.output === 'json') return console.json(asJson(cluster.name, catalog, files));
    for (const warning of catalog.warnings) console.note(warning, 'note');
    await console.table(['NAME', 'VERSION', 'ARCH', 'SIZE', 'SHA256', 'FROM', 'URL'], rows(catalog, files));
  },
});

const rows = ({ images }: Catalog, files: readonly FileState[]) => [
  ...files.map(({ item, sum, size, from }) => [
    item.name,
    item.version,
    item.arch ?? 'any',
    size === undefined ? '' : `${(size / 1e6).toFixed(1)} MB`,
    sum?.sha256.slice(0, 12) ?? '',
    from,
    item.url,
  ]),
  ...images.map(({ name, version, arches, ref, sha256 }) => [
    name,
    version,
    arches.join(','),
    '',
    sha256?.slice(0, 12) ?? '',
    ref.split('/')[0]!,
    ref,
  ]),
];

const asJson = (cluster: string, { images, warnings }: Catalog, files: readonly FileState[]) => ({
  cluster,
  files: files.map(({ item: { name, version, arch, url, roles, path }, sum, size, from }) => {
    const known = { size, sha256: sum?.sha256, sumFrom: sum?.from, from };
    return { name, version, arch, url, roles, path, ...known };
  }),
  images: images.map(({ name, version, arches, ref, sha256, roles }) => ({
    name,
    version,
    arches,
    ref,
    sha256,
    roles,
  })),
  warnings,
});
