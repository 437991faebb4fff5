import { API_VERSION } from '../schema/cluster.ts';
import { put, scalar, take, textAt } from '../source/edit.ts';
import { emptyMap, formatPath, placeOf, treeAt, type MapTree, type Path, type Tree } from '../source/tree.ts';
import { applyMove, specPath, type AliasFinding, type Move } from './move.ts';

/** Turns a file of KubeKey into ours, in place; nothing happens to other files. */
export function convertKubeKey(root: Tree): readonly AliasFinding[] {
  if (!isKubeKey(root)) return [];
  const place = placeOf(root, ['apiVersion']);
  put(root, ['apiVersion'], { place, tree: scalar(API_VERSION, place) });
  // There it is a name of its own beside the DNS domain; here both are one.
  if (treeAt(root, specPath('kubernetes.dnsDomain'))) take(root, specPath('kubernetes.clusterName'));
  return [
    { type: 'note', place, path: 'apiVersion', message: `is a file of KubeKey; it is read as ${API_VERSION}` },
    ...moves.map((move) => applyMove(root, move)).filter((finding) => finding !== undefined),
    ...ignored.flatMap((dotted) => ignore(root, specPath(dotted))),
    ...keptSystem(root),
    ...addons(root),
    ...scripts(root),
  ];
}

/** Whether a file is one of KubeKey. */
export const isKubeKey = (root: Tree) =>
  /^kubekey\.kubesphere\.io\/v1alpha[12]$/.test(textAt(root, ['apiVersion']) ?? '');

const moves: readonly Move[] = [
  { from: 'kubernetes.dnsDomain', to: 'kubernetes.clusterName' },
  { from: 'etcd.backupDir', to: 'etcd.backup.dir' },
  { from: 'etcd.keepBackupNumber', to: 'etcd.backup.keep' },
  {
    from: 'etcd.backupPeriod',
    to: 'etcd.backup.schedule',
    convert: (tree) => (tree.type === 'scalar' ? scalar(`every ${tree.source}m`, tree.place) : undefined),
  },
  { from: 'network.flannel.backendMode', to: 'network.flannel.backend' },
  { from: 'network.calico.enableTypha', to: 'network.calico.typha' },
  { from: 'network.multusCNI', to: 'network.multus' },
  { from: 'network.enableMultusCNI', to: 'network.multus' },
  { from: 'registry.registryMirrors', to: 'kubernetes.containerRuntime.registryMirrors' },
  { from: 'registry.insecureRegistries', to: 'kubernetes.containerRuntime.insecureRegistries' },
  { from: 'registry.dataRoot', to: 'kubernetes.containerRuntime.dataDir' },
];

/** Settings of KubeKey that have no counterpart; they are named, never dropped in silence. */
const ignored: readonly string[] = [
  'etcd.backupScript',
  'kubernetes.imageRepo',
  'network.calico.ipAutoDetectionMethod',
  'network.calico.controllerReplicas',
  'kubernetes.disableKubeProxy',
  'network.calico.defaultIPPOOL',
  'network.calico.replicas',
  'network.calico.nodeSelector',
  'network.kubeovn',
  'network.hybridnet',
  'registry.bridgeIP',
  'registry.plainHTTP',
];

function ignore(root: Tree, path: Path): readonly AliasFinding[] {
  const dropped = take(root, path);
  return dropped
    ? [
        {
          type: 'ignored',
          place: dropped.place,
          path: formatPath(path),
          message: 'has no counterpart here and does not count',
        },
      ]
    : [];
}

/** `skipConfigureOS: true` leaves alone what KubeKey does to the system; packages are no part of that. */
function keptSystem(root: Tree): readonly AliasFinding[] {
  const skip = take(root, specPath('system.skipConfigureOS'));
  if (skip?.tree.type !== 'scalar') return [];
  const { place } = skip;
  const kept = skip.tree.value === true ? OS_FIELDS : [];
  for (const field of kept) put(root, specPath(`system.${field}`), { place, tree: scalar('keep', place) });
  const message = kept.length > 0 ? `is read as keep of ${kept.join(', ')}` : 'is what is done anyhow';
  return [{ type: 'note', place, path: 'spec.system.skipConfigureOS', message }];
}

const OS_FIELDS = ['hostname', 'etcHosts', 'selinux', 'swap', 'modules', 'sysctl', 'firewall'] as const;

/** `materials` are files to copy; our scripts are whole. */
function scripts(root: Tree): readonly AliasFinding[] {
  return ['preInstall', 'postInstall'].flatMap((list) => {
    const tree = treeAt(root, ['spec', 'system', list]);
    return tree?.type === 'list'
      ? tree.items.flatMap((_, index) => ignore(root, ['spec', 'system', list, index, 'materials']))
      : [];
  });
}

/** `sources: {chart: {name, repo, version}}` or `{yaml: {path: [a]}}` -> type and source. */
function addons(root: Tree): readonly AliasFinding[] {
  const list = treeAt(root, ['spec', 'addons']);
  if (list?.type !== 'list') return [];
  return list.items.flatMap((addon) => {
    const sources = addon.type === 'map' ? take(addon, ['sources']) : undefined;
    if (addon.type !== 'map' || sources === undefined) return [];
    const chart = treeAt(sources.tree, ['chart']);
    const yaml = treeAt(sources.tree, ['yaml', 'path']);
    if (chart?.type === 'map') fromChart(addon, chart);
    else if (yaml) fromManifest(addon, yaml);
    return [
      {
        type: 'note' as const,
        place: sources.place,
        path: 'spec.addons',
        message: 'sources is read as type and source',
      },
    ];
  });
}

function fromChart(addon: MapTree, chart: MapTree): void {
  const { place } = chart;
  put(addon, ['type'], { place, tree: scalar('helm', place) });
  for (const [key, to] of [
    ['name', 'chart'],
    ['repo', 'repo'],
    ['version', 'version'],
    ['path', 'path'],
  ] as const) {
    const entry = chart.entries.get(key);
    if (entry) put(addon, ['source', to], entry);
  }
  for (const key of ['valuesFile', 'wait']) {
    const entry = chart.entries.get(key);
    if (entry) addon.entries.set(key, entry);
  }
  const values = chart.entries.get('values');
  if (values) addon.entries.set('values', { place: values.place, tree: valuesOf(values.tree) });
}

function fromManifest(addon: MapTree, path: Tree): void {
  const first = path.type === 'list' ? path.items[0] : path;
  put(addon, ['type'], { place: path.place, tree: scalar('yaml', path.place) });
  if (first) put(addon, ['source', 'path'], { place: path.place, tree: first });
}

/** `values: ["a.b=c"]` as nested maps. */
function valuesOf(tree: Tree): Tree {
  if (tree.type !== 'list') return tree;
  const map = emptyMap(tree.place);
  for (const item of tree.items) {
    const [key = '', ...value] = item.type === 'scalar' ? String(item.value).split('=') : [];
    put(map, key.split('.'), { place: item.place, tree: scalar(value.join('='), item.place) });
  }
  return map;
}
