import { API_VERSION } from '../schema/cluster.ts';
import { put, scalar, take, textAt } from '../source/edit.ts';
import { emptyMap, formatPath, locationOf, treeAt, type MapTree, type Path, type Tree } from '../source/tree.ts';
import { applyMove, specPath, type AliasFinding, type Move } from './move.ts';

/** Converts a KubeKey file to a kubexm cluster file. Modifies the tree, unless it is not from KubeKey. */
export function convertKubeKey(root: Tree): readonly AliasFinding[] {
  if (!isKubeKey(root)) return [];
  const location = locationOf(root, ['apiVersion']);
  put(root, ['apiVersion'], { location, tree: scalar(API_VERSION, location) });
  // In KubeKey, clusterName and dnsDomain are separate; in kubexm, clusterName is the DNS domain.
  if (treeAt(root, specPath('kubernetes.dnsDomain'))) take(root, specPath('kubernetes.clusterName'));
  return [
    { type: 'note', location, path: 'apiVersion', message: `is a KubeKey file; it is read as ${API_VERSION}` },
    ...moves.map((move) => applyMove(root, move)).filter((finding) => finding !== undefined),
    ...ignored.flatMap((dotted) => ignore(root, specPath(dotted))),
    ...keptSystem(root),
    ...addons(root),
    ...scripts(root),
  ];
}

export const isKubeKey = (root: Tree) =>
  /^kubekey\.kubesphere\.io\/v1alpha[12]$/.test(textAt(root, ['apiVersion']) ?? '');

const moves: readonly Move[] = [
  { from: 'kubernetes.dnsDomain', to: 'kubernetes.clusterName' },
  { from: 'etcd.backupDir', to: 'etcd.backup.dir' },
  { from: 'etcd.keepBackupNumber', to: 'etcd.backup.keep' },
  {
    from: 'etcd.backupPeriod',
    to: 'etcd.backup.schedule',
    convert: (tree) => (tree.type === 'scalar' ? scalar(`every ${tree.source}m`, tree.location) : undefined),
  },
  { from: 'network.flannel.backendMode', to: 'network.flannel.backend' },
  { from: 'network.calico.enableTypha', to: 'network.calico.typha' },
  { from: 'network.multusCNI', to: 'network.multus' },
  { from: 'network.enableMultusCNI', to: 'network.multus' },
  { from: 'registry.registryMirrors', to: 'kubernetes.containerRuntime.registryMirrors' },
  { from: 'registry.insecureRegistries', to: 'kubernetes.containerRuntime.insecureRegistries' },
  { from: 'registry.dataRoot', to: 'kubernetes.containerRuntime.dataDir' },
];

/** KubeKey fields without an equivalent in kubexm. Each of them causes a warning. */
const ignored: readonly string[] = [
  'dns.nodeEtcHosts',
  'etcd.backupScript',
  'etcd.peerPort',
  'etcd.port',
  'kubernetes.containerRuntimeEndpoint',
  'kubernetes.disableKubeProxy',
  'kubernetes.imageRepo',
  'kubernetes.nvidiaRuntime',
  'network.calico.controller',
  'network.calico.controllerReplicas',
  'network.calico.defaultIPPOOL',
  'network.calico.ipAutoDetectionMethod',
  'network.calico.ipv6NatOutgoing',
  'network.calico.nodeSelector',
  'network.calico.replicas',
  'network.flannel.directRouting',
  'network.hybridnet',
  'network.kubeovn',
  'registry.bridgeIP',
  'registry.namespaceRewrite',
  'registry.plainHTTP',
  'registry.remoteMirrors',
];

function ignore(root: Tree, path: Path): readonly AliasFinding[] {
  const dropped = take(root, path);
  return dropped
    ? [
        {
          type: 'ignored',
          location: dropped.location,
          path: formatPath(path),
          message: 'has no equivalent in kubexm and is ignored',
        },
      ]
    : [];
}

/**
 * Converts `skipConfigureOS`. KubeKey still installs packages if it is true, so `system.packages` remains `install`.
 */
function keptSystem(root: Tree): readonly AliasFinding[] {
  const skip = take(root, specPath('system.skipConfigureOS'));
  if (skip?.tree.type !== 'scalar') return [];
  const { location } = skip;
  const kept = skip.tree.value === true ? OS_FIELDS : [];
  for (const field of kept) put(root, specPath(`system.${field}`), { location, tree: scalar('keep', location) });
  const message = kept.length > 0 ? `is read as keep for ${kept.join(', ')}` : 'is the default';
  return [{ type: 'note', location, path: 'spec.system.skipConfigureOS', message }];
}

const OS_FIELDS = ['hostname', 'etcHosts', 'selinux', 'swap', 'modules', 'sysctl', 'firewall'] as const;

/** Removes `materials`, which are files that KubeKey copies to the host; kubexm copies no files for scripts. */
function scripts(root: Tree): readonly AliasFinding[] {
  return ['preInstall', 'postInstall'].flatMap((list) => {
    const tree = treeAt(root, ['spec', 'system', list]);
    return tree?.type === 'list'
      ? tree.items.flatMap((_, index) => ignore(root, ['spec', 'system', list, index, 'materials']))
      : [];
  });
}

/** Converts `sources: {chart: {name, repo, version}}` or `{yaml: {path: [a]}}` to type and source. */
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
        location: sources.location,
        path: 'spec.addons',
        message: 'sources is read as type and source',
      },
    ];
  });
}

function fromChart(addon: MapTree, chart: MapTree): void {
  const { location } = chart;
  put(addon, ['type'], { location, tree: scalar('helm', location) });
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
  if (values) addon.entries.set('values', { location: values.location, tree: valuesOf(values.tree) });
}

function fromManifest(addon: MapTree, path: Tree): void {
  const first = path.type === 'list' ? path.items[0] : path;
  put(addon, ['type'], { location: path.location, tree: scalar('yaml', path.location) });
  if (first) put(addon, ['source', 'path'], { location: path.location, tree: first });
}

/** Converts `values: ["a.b=c"]` to nested maps. */
function valuesOf(tree: Tree): Tree {
  if (tree.type !== 'list') return tree;
  const map = emptyMap(tree.location);
  for (const item of tree.items) {
    const [key = '', ...value] = item.type === 'scalar' ? String(item.value).split('=') : [];
    put(map, key.split('.'), { location: item.location, tree: scalar(value.join('='), item.location) });
  }
  return map;
}
