import type { Json } from '../../common/json.ts';
import { restoreAbsent } from '../common/absent.ts';
import { restoreDirectory } from '../common/directory.ts';
import { restoreFileTree } from '../common/file-tree.ts';
import { restoreFile } from '../common/file.ts';
import { disarmGuard } from '../common/guarded.ts';
import { restoreInstalled } from '../transfer/installed.ts';
import { restoreRecordedService } from '../common/recorded-service.ts';
import { restoreKernelModules } from '../common/kernel-modules.ts';
import { restoreBlock } from '../common/managed-block.ts';
import { restoreOwnedContent } from '../common/owned-content.ts';
import { restoreOwnedDirectory } from '../common/owned-directory.ts';
import { restorePackages } from '../common/packages.ts';
import { restoreConfiguredService, restoreService } from '../common/running-service.ts';
import { restoreStoppedService } from '../common/stopped-service.ts';
import { restoreSymlink } from '../common/symlink.ts';
import { restoreSysctl } from '../common/sysctl.ts';
import { beforeOf } from '../common/compound.ts';
import { restoreUploaded } from '../common/uploaded.ts';
import { restoreUser } from '../common/user.ts';
import { restoreDockerOwner } from '../container-runtime/docker/networks.ts';
import { restoreGroup } from '../container-runtime/docker/program.ts';
import { restoreRuntimeOwner } from '../container-runtime/shared/record-owner.ts';
import { restoreTestPod } from '../container-runtime/shared/test-pod.ts';
import { parseKey, targetOf, type PartKey, type RestorableKind } from '../contract/key.ts';
import type { Restore, StepContext } from '../contract/part.ts';
import { restoreHostState } from '../kubernetes/record-host-state.ts';
import { restoreLoadedConfig, restoreReloadedService } from '../load-balancer/reloading-service.ts';
import { restoreFirewalld } from '../os/firewalld.ts';
import { restoreHostnameFile, restoreLiveHostname } from '../os/hostname.ts';
import { restoreNetworkManager } from '../os/network-manager.ts';
import { NFTABLES_GUARD, NFTABLES_PARTS } from '../os/nftables.ts';
import { RESOLVED_PARTS, RESOLVER_GUARD } from '../os/resolver.ts';
import { restoreSelinuxConfig, restoreSelinuxMode } from '../os/selinux.ts';
import { restoreSwapDevices, restoreSwapEntries } from '../os/swap.ts';
import { restoreUfwRules, UFW_PARTS } from '../os/ufw.ts';
import { restoreHarbor } from '../registry/harbor/install.ts';
import { restorePasswordFile } from '../registry/password-file.ts';
import { restoreRegistryTimer } from '../registry/serve.ts';

/** Restores the original state of a key; false if this version does not know its kind. */
export async function restore(ctx: StepContext, key: string, before: Json): Promise<boolean> {
  const act = restoreOf(key);
  if (!act) return false;
  await act(ctx, targetOf(key), before);
  return true;
}

/** Whether the original state of a key can be restored. */
export const isRestorable = (key: string): boolean => restoreOf(key) !== undefined;

const restoreOf = (key: string): Restore | undefined =>
  Object.entries(RESTORES).find(([kind]) => kind === parseKey(key)?.kind)?.[1];

/** Restores parts that share one record, in reverse order. */
const restoreCompound =
  (keys: readonly PartKey[]): Restore =>
  async (ctx, _, before) => {
    for (const key of keys.toReversed()) await restore(ctx, key, beforeOf(before, keys, key));
  };

/** Also removes the timer of a guarded part. */
const guardedBy =
  (guard: { readonly name: string }, act: Restore): Restore =>
  async (ctx, target, before) => {
    await act(ctx, target, before);
    await disarmGuard(ctx, guard);
  };

const RESTORES: Readonly<Record<RestorableKind, Restore>> = {
  absent: restoreAbsent,
  block: async (ctx, target, before) => {
    await restoreBlock(ctx, target, before);
    if (target.startsWith('/etc/resolv.conf#')) await disarmGuard(ctx, RESOLVER_GUARD);
  },
  'configured-service': restoreConfiguredService,
  directory: restoreDirectory,
  file: restoreFile,
  'file-tree': restoreFileTree,
  firewalld: restoreFirewalld,
  group: restoreGroup,
  harbor: restoreHarbor,
  'hostname-file': restoreHostnameFile,
  installed: restoreInstalled,
  'kept-service': restoreRecordedService,
  'kernel-modules': restoreKernelModules,
  'live-hostname': restoreLiveHostname,
  'loaded-config': restoreLoadedConfig,
  'network-manager': guardedBy(RESOLVER_GUARD, restoreNetworkManager),
  nftables: guardedBy(NFTABLES_GUARD, restoreCompound(NFTABLES_PARTS)),
  note: restoreHostState,
  'owned-content': restoreOwnedContent,
  'owned-directory': restoreOwnedDirectory,
  packages: restorePackages,
  'password-file': restorePasswordFile,
  'pod-proof': restoreTestPod,
  'registry-timer': restoreRegistryTimer,
  'reloaded-service': restoreReloadedService,
  'runtime-owner': (ctx, target, before) =>
    target === 'docker' ? restoreDockerOwner(ctx, target, before) : restoreRuntimeOwner(ctx, target, before),
  'selinux-config': restoreSelinuxConfig,
  'selinux-mode': restoreSelinuxMode,
  service: restoreService,
  'stopped-service': restoreStoppedService,
  'swap-devices': restoreSwapDevices,
  'swap-entries': restoreSwapEntries,
  symlink: restoreSymlink,
  sysctl: restoreSysctl,
  'systemd-resolved': guardedBy(RESOLVER_GUARD, restoreCompound(RESOLVED_PARTS)),
  ufw: restoreCompound(UFW_PARTS),
  'ufw-rules': restoreUfwRules,
  uploaded: restoreUploaded,
  user: restoreUser,
};
