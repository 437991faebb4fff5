import type { Check } from './check.ts';
import { cgroups } from './checks/cgroups.ts';
import { connectivity } from './checks/connectivity.ts';
import { disk } from './checks/disk.ts';
import { etcdDisk } from './checks/etcd-disk.ts';
import { file } from './checks/file.ts';
import { hardware } from './checks/hardware.ts';
import { hostname } from './checks/hostname.ts';
import { identity } from './checks/identity.ts';
import { kernel } from './checks/kernel.ts';
import { leftovers } from './checks/leftovers.ts';
import { ports } from './checks/ports.ts';
import { programs } from './checks/programs.ts';
import { protection } from './checks/protection.ts';
import { reach } from './checks/reach.ts';
import { resolver } from './checks/resolver.ts';
import { system } from './checks/system.ts';
import { time } from './checks/time.ts';
import { virtualAddress } from './checks/virtual-address.ts';

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
