import type { Check } from './check.ts';
import { cgroups } from './checks/cgroups.ts';
import { connectivity } from './connectivity/check.ts';
import { disk } from './checks/disk-space.ts';
import { etcdDisk } from './checks/etcd-disk.ts';
import { file } from './checks/cluster-file.ts';
import { hardware } from './checks/hardware.ts';
import { hostname } from './checks/hostname.ts';
import { identity } from './checks/identity.ts';
import { kernel } from './checks/kernel.ts';
import { leftovers } from './checks/leftovers.ts';
import { ports } from './checks/ports.ts';
import { programs } from './checks/programs.ts';
import { protection } from './checks/selinux-firewall-swap.ts';
import { reach } from './checks/ssh-access.ts';
import { resolver } from './checks/name-resolution.ts';
import { system } from './checks/operating-system.ts';
import { time } from './checks/clock.ts';
import { virtualAddress } from './checks/virtual-ip.ts';

/** Every check, in the order of their ids. */
export const checks: readonly Check[] = [
  reach,
  system,
  hardware,
  kernel,
  hostname,
  time,
  leftovers,
  ports,
  resolver,
  protection,
  file,
  connectivity,
  programs,
  disk,
  identity,
  virtualAddress,
  etcdDisk,
  cgroups,
];
