import type { Check } from './check.ts';
import { cgroups } from './checks/cgroups.ts';
import { clock } from './checks/clock.ts';
import { clusterFile } from './checks/cluster-file.ts';
import { diskSpace } from './checks/disk-space.ts';
import { etcdDisk } from './checks/etcd-disk.ts';
import { hardware } from './checks/hardware.ts';
import { hostname } from './checks/hostname.ts';
import { identity } from './checks/identity.ts';
import { kernel } from './checks/kernel.ts';
import { leftovers } from './checks/leftovers.ts';
import { nameResolution } from './checks/name-resolution.ts';
import { operatingSystem } from './checks/operating-system.ts';
import { ports } from './checks/ports.ts';
import { programs } from './checks/programs.ts';
import { selinuxFirewallSwap } from './checks/selinux-firewall-swap.ts';
import { sshAccess } from './checks/ssh-access.ts';
import { virtualIp } from './checks/virtual-ip.ts';
import { connectivity } from './connectivity/check.ts';

/** Every check, ordered by id. */
export const checks: readonly Check[] = [
  sshAccess,
  operatingSystem,
  hardware,
  kernel,
  hostname,
  clock,
  leftovers,
  ports,
  nameResolution,
  selinuxFirewallSwap,
  clusterFile,
  connectivity,
  programs,
  diskSpace,
  identity,
  virtualIp,
  etcdDisk,
  cgroups,
];
