/**
 * The permanent identity of a part of a step: its kind and its target, "file:/etc/hosts". Journals and the originals
 * kept on hosts are matched by it, so a key never changes; texts may.
 */
export type PartKey = `${PartKind}:${string}`;

export type PartKind = RestorableKind | OtherKind;

/** Kinds whose original state is kept on the host until the cluster is deleted. Each has a row in `step/undo/restore.ts`. */
export type RestorableKind =
  | 'absent'
  | 'block'
  | 'configured-service'
  | 'directory'
  | 'file'
  | 'file-tree'
  | 'firewalld'
  | 'group'
  | 'harbor'
  | 'hostname-file'
  | 'installed'
  | 'kept-service'
  | 'kernel-modules'
  | 'live-hostname'
  | 'loaded-config'
  | 'network-manager'
  | 'nftables'
  | 'note'
  | 'owned-content'
  | 'owned-directory'
  | 'packages'
  | 'password-file'
  | 'pod-proof'
  | 'registry-timer'
  | 'reloaded-service'
  | 'runtime-owner'
  | 'selinux-config'
  | 'selinux-mode'
  | 'service'
  | 'stopped-service'
  | 'swap-devices'
  | 'swap-entries'
  | 'symlink'
  | 'sysctl'
  | 'systemd-resolved'
  | 'ufw'
  | 'ufw-rules'
  | 'uploaded'
  | 'user';

/** Kinds without a record that outlives the run. */
export type OtherKind =
  | 'artifacts'
  | 'bundle'
  | 'check'
  | 'cleared'
  | 'command'
  | 'configuration'
  | 'control-plane'
  | 'helm-release'
  | 'images'
  | 'local-file'
  | 'node'
  | 'node-record'
  | 'objects'
  | 'pki'
  | 'script'
  | 'undo'
  | 'wait';

/** The kind and the target of a key; undefined for a text that is not a key. */
export function parseKey(text: string): { readonly kind: string; readonly target: string } | undefined {
  const colon = text.indexOf(':');
  return colon < 1 ? undefined : { kind: text.slice(0, colon), target: text.slice(colon + 1) };
}

/** The target of a key, for messages: "/etc/hosts". */
export const targetOf = (key: string): string => parseKey(key)?.target ?? key;
