import { put, scalar, textAt } from '../source/edit.ts';
import { formatPath, placeOf, treeAt, type Path, type Tree } from '../source/tree.ts';
import { specPath, type AliasFinding } from './move.ts';

/** Reads the values that other tools use as ours, in place. */
export function valueAliases(root: Tree): readonly AliasFinding[] {
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
  const meant = written === undefined ? undefined : Object.entries(names).find(([name]) => name === written)?.[1];
  if (meant === undefined) return [];
  const place = placeOf(root, path);
  put(root, path, { place, tree: scalar(meant, place) });
  return [{ type: 'note', place, path: formatPath(path), message: `"${written}" is read as "${meant}"` }];
}
