import { scalar, take, textAt } from '../source/edit.ts';
import { emptyMap, treeAt, type Tree } from '../source/tree.ts';
import { applyMove, specPath, type AliasFinding, type Move } from './move.ts';
import { valueAliases } from './values.ts';

/** Reads the names that other documents use for a field as the canonical ones, in place. */
export function applyAliases(root: Tree): readonly AliasFinding[] {
  const found = [
    ...dropOtherMode(root),
    ...moves.map((move) => applyMove(root, move)),
    ...runtimeBlocks(root),
    ...dataDirs(root),
    ...leftovers(root),
  ];
  return [...found.filter((finding) => finding !== undefined), ...valueAliases(root)];
}

/** A list of flags such as KubeKey's `kubeletArgs: [--root-dir=/x]` as a map. */
function flagsToMap(tree: Tree): Tree | undefined {
  if (tree.type !== 'list') return undefined;
  const map = emptyMap(tree.place);
  for (const item of tree.items) {
    const [, name, value = 'true'] =
      /^-{0,2}([a-zA-Z0-9][\w-]*)(?:=(.*))?$/s.exec(item.type === 'scalar' ? String(item.value) : '') ?? [];
    if (name === undefined) return undefined;
    map.entries.set(name, { place: item.place, tree: scalar(value, item.place) });
  }
  return map;
}

/** `etcdresolve: {address: 1.2.3.4}`, a list of these, or plain addresses. */
function toResolves(tree: Tree): Tree | undefined {
  const items = tree.type === 'list' ? tree.items : [tree];
  const wrapped = items.map((item): Tree => {
    if (item.type !== 'scalar') return item;
    const wrapping = emptyMap(item.place);
    wrapping.entries.set('address', { place: item.place, tree: item });
    return wrapping;
  });
  return { type: 'list', items: wrapped, place: tree.place };
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

/** `loadBalancer.mode` says which of the two blocks counts. */
function dropOtherMode(root: Tree): readonly (AliasFinding | undefined)[] {
  const mode = textAt(root, specPath('loadBalancer.mode'));
  if (mode !== 'internal' && mode !== 'external' && mode !== 'none') return [];
  const place = take(root, specPath('loadBalancer.mode'))!.place;
  if (mode === 'none') {
    const dropped = take(root, specPath('loadBalancer'));
    return [
      dropped && {
        type: 'ignored',
        place: dropped.place,
        path: 'spec.loadBalancer',
        message: 'does not count, because mode is none',
      },
    ];
  }
  const other = mode === 'internal' ? 'external' : 'internal';
  const dropped = take(root, specPath(`loadBalancer.${other}`));
  return [
    { type: 'note', place, path: 'spec.loadBalancer.mode', message: `${mode} is read as spec.controlPlaneEndpoint` },
    dropped && {
      type: 'ignored',
      place: dropped.place,
      path: `spec.loadBalancer.${other}`,
      message: `does not count, because mode is ${mode}`,
    },
  ];
}

/** `containerRuntime.containerd.version` and the like stand one level too deep. */
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

/** The registry block of older files says where each runtime keeps its data; only the one in use counts. */
function dataDirs(root: Tree): readonly (AliasFinding | undefined)[] {
  const runtime = textAt(root, specPath('kubernetes.containerRuntime.type')) ?? 'containerd';
  return ['containerd', 'docker'].map((name) => {
    const from = `registry.${name}DataDir`;
    if (runtime === name) return applyMove(root, { from, to: 'kubernetes.containerRuntime.dataDir' });
    const dropped = take(root, specPath(from));
    return (
      dropped && {
        type: 'ignored',
        place: dropped.place,
        path: `spec.${from}`,
        message: `does not count, because the container runtime is ${runtime}`,
      }
    );
  });
}

/** Blocks that exist only under other names: what is left in them was not understood, key by key. */
function leftovers(root: Tree): readonly AliasFinding[] {
  return ['loadBalancer', 'highAvailability', 'runtime'].flatMap((block) => {
    const left = treeAt(root, specPath(block));
    if (left?.type !== 'map') return [];
    take(root, specPath(block));
    return leaves(left, `spec.${block}`);
  });
}

const leaves = (tree: Tree, path: string): readonly AliasFinding[] =>
  tree.type === 'map' && tree.entries.size > 0
    ? [...tree.entries].flatMap(([key, entry]) => leaves(entry.tree, `${path}.${key}`))
    : [{ type: 'conflict', place: tree.place, path, message: 'is not a known key of this block' }];
