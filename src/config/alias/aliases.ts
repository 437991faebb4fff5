import { put, scalar, take, textAt } from '../source/edit.ts';
import { emptyMap, formatPath, locationOf, treeAt, type Path, type Tree } from '../source/tree.ts';
import { applyMove, specPath, type AliasFinding, type Move } from './move.ts';

/** Replaces alternative field names and values with the canonical ones. Modifies the tree. */
export function applyAliases(root: Tree): readonly AliasFinding[] {
  const found = [
    ...dropOtherMode(root),
    ...moves.map((move) => applyMove(root, move)),
    ...runtimeBlocks(root),
    ...dataDirs(root),
    ...unknownKeys(root),
  ];
  return [...found.filter((finding) => finding !== undefined), ...valueAliases(root)];
}

/** Converts a list of flags, such as `kubeletArgs: [--root-dir=/x]` in KubeKey, to a map. */
function flagsToMap(tree: Tree): Tree | undefined {
  if (tree.type !== 'list') return undefined;
  const map = emptyMap(tree.location);
  for (const item of tree.items) {
    const [, name, value = 'true'] =
      /^-{0,2}([a-zA-Z0-9][\w-]*)(?:=(.*))?$/s.exec(item.type === 'scalar' ? String(item.value) : '') ?? [];
    if (name === undefined) return undefined;
    map.entries.set(name, { location: item.location, tree: scalar(value, item.location) });
  }
  return map;
}

/** Accepts `{address: 1.2.3.4}`, a list of such maps, or plain addresses. */
function toResolves(tree: Tree): Tree | undefined {
  const items = tree.type === 'list' ? tree.items : [tree];
  const wrapped = items.map((item): Tree => {
    if (item.type !== 'scalar') return item;
    const wrapping = emptyMap(item.location);
    wrapping.entries.set('address', { location: item.location, tree: item });
    return wrapping;
  });
  return { type: 'list', items: wrapped, location: tree.location };
}

const endpoint = (from: string, to: string): Move => ({ from, to: `controlPlaneEndpoint.${to}` });
const args = (from: string, component: string): Move => ({
  from: `kubernetes.${from}`,
  to: `kubernetes.${component}.extraArgs`,
  convert: flagsToMap,
});

const moves: readonly Move[] = [
  { from: 'roleGroups.control-plane', to: 'roleGroups.master' },
  endpoint('controlPlaneEndpoint.address', 'lb_address'),
  endpoint('controlPlaneEndpoint.vip', 'lb_address'),
  endpoint('controlPlaneEndpoint.internalLoadBalancer', 'internalLoadbalancer'),
  endpoint('controlPlaneEndpoint.internalLoadBalancerType', 'internalLoadbalancer'),
  endpoint('controlPlaneEndpoint.externalLoadbalancer', 'externalLoadBalancer'),
  endpoint('controlPlaneEndpoint.externalLoadBalancerType', 'externalLoadBalancer'),
  endpoint('loadBalancer.internal.type', 'internalLoadbalancer'),
  endpoint('loadBalancer.external.type', 'externalLoadBalancer'),
  endpoint('loadBalancer.vip', 'lb_address'),
  endpoint('loadBalancer.domain', 'domain'),
  endpoint('loadBalancer.port', 'port'),
  endpoint('highAvailability.vip', 'lb_address'),
  endpoint('highAvailability.keepalived.vrid', 'keepalived.vrid'),
  endpoint('highAvailability.keepalived.interface', 'keepalived.interface'),
  endpoint('highAvailability.keepalived.unicast', 'keepalived.unicast'),
  endpoint('highAvailability.kubevip.vip', 'lb_address'),
  endpoint('highAvailability.kubevip.interface', 'kubevip.interface'),
  endpoint('highAvailability.kubevip.mode', 'kubevip.mode'),
  { from: 'runtime.type', to: 'kubernetes.containerRuntime.type' },
  { from: 'runtime.version', to: 'kubernetes.containerRuntime.version' },
  { from: 'containerManager', to: 'kubernetes.containerRuntime.type' },
  { from: 'kubernetes.containerManager', to: 'kubernetes.containerRuntime.type' },
  { from: 'network.podCidr', to: 'network.kubePodsCIDR' },
  { from: 'network.serviceCidr', to: 'network.kubeServiceCIDR' },
  { from: 'extra.etcdresolve', to: 'extra.resolves', convert: toResolves },
  args('apiserverArgs', 'apiserver'),
  args('controllerManagerArgs', 'controllerManager'),
  args('schedulerArgs', 'scheduler'),
  args('kubeletArgs', 'kubelet'),
  args('kubeProxyArgs', 'kubeProxy'),
];

/** Removes the block that `loadBalancer.mode` does not select (`internal` or `external`). */
function dropOtherMode(root: Tree): readonly (AliasFinding | undefined)[] {
  const mode = textAt(root, specPath('loadBalancer.mode'));
  if (mode !== 'internal' && mode !== 'external' && mode !== 'none') return [];
  const location = take(root, specPath('loadBalancer.mode'))!.location;
  if (mode === 'none') {
    const dropped = take(root, specPath('loadBalancer'));
    return [
      dropped && {
        type: 'ignored',
        location: dropped.location,
        path: 'spec.loadBalancer',
        message: 'is ignored, because mode is none',
      },
    ];
  }
  const other = mode === 'internal' ? 'external' : 'internal';
  const dropped = take(root, specPath(`loadBalancer.${other}`));
  return [
    { type: 'note', location, path: 'spec.loadBalancer.mode', message: `${mode} is read as spec.controlPlaneEndpoint` },
    dropped && {
      type: 'ignored',
      location: dropped.location,
      path: `spec.loadBalancer.${other}`,
      message: `is ignored, because mode is ${mode}`,
    },
  ];
}

/** Moves `containerRuntime.containerd.version` and similar fields one level up. */
function runtimeBlocks(root: Tree): readonly (AliasFinding | undefined)[] {
  const runtime = 'kubernetes.containerRuntime';
  return ['containerd', 'docker', 'cri-o', 'crio', 'isulad', 'isula'].flatMap((name) => {
    const block = treeAt(root, specPath(`${runtime}.${name}`));
    if (block?.type !== 'map') return [];
    return [...block.entries.keys()].map((key) =>
      applyMove(root, { from: `${runtime}.${name}.${key}`, to: `${runtime}.${key}` }),
    );
  });
}

/**
 * Moves the data directory of the selected runtime from the registry block, where older files have one for each
 * runtime.
 */
function dataDirs(root: Tree): readonly (AliasFinding | undefined)[] {
  const runtime = textAt(root, specPath('kubernetes.containerRuntime.type')) ?? 'containerd';
  return ['containerd', 'docker'].map((name) => {
    const from = `registry.${name}DataDir`;
    if (runtime === name) return applyMove(root, { from, to: 'kubernetes.containerRuntime.dataDir' });
    const dropped = take(root, specPath(from));
    return (
      dropped && {
        type: 'ignored',
        location: dropped.location,
        path: `spec.${from}`,
        message: `is ignored, because the container runtime is ${runtime}`,
      }
    );
  });
}

/** Reports the remaining keys of blocks in which all known keys are aliases. */
function unknownKeys(root: Tree): readonly AliasFinding[] {
  return ['loadBalancer', 'highAvailability', 'runtime'].flatMap((name) => {
    const block = treeAt(root, specPath(name));
    if (block?.type !== 'map') return [];
    take(root, specPath(name));
    return unknownKeysIn(block, `spec.${name}`);
  });
}

const unknownKeysIn = (tree: Tree, path: string): readonly AliasFinding[] =>
  tree.type === 'map' && tree.entries.size > 0
    ? [...tree.entries].flatMap(([key, entry]) => unknownKeysIn(entry.tree, `${path}.${key}`))
    : [{ type: 'conflict', location: tree.location, path, message: 'is not a known key of this block' }];

/** Converts values from other tools to the canonical ones. */
function valueAliases(root: Tree): readonly AliasFinding[] {
  const hosts = treeAt(root, ['spec', 'hosts']);
  const arches = hosts?.type === 'list' ? hosts.items.map((_, index): Path => ['spec', 'hosts', index, 'arch']) : [];
  return [
    ...rename(root, specPath('kubernetes.containerRuntime.type'), { crio: 'cri-o', isula: 'isulad', iSulad: 'isulad' }),
    ...rename(root, specPath('etcd.type'), { kubekey: 'kubexm' }),
    ...arches.flatMap((path) => rename(root, path, { x86_64: 'amd64', aarch64: 'arm64', x64: 'amd64' })),
  ];
}

function rename(root: Tree, path: Path, names: Readonly<Record<string, string>>): readonly AliasFinding[] {
  const written = textAt(root, path);
  const canonical = written === undefined ? undefined : Object.entries(names).find(([name]) => name === written)?.[1];
  if (canonical === undefined) return [];
  const location = locationOf(root, path);
  put(root, path, { location, tree: scalar(canonical, location) });
  return [{ type: 'note', location, path: formatPath(path), message: `"${written}" is read as "${canonical}"` }];
}
