import type { Host, Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Scope } from '../../pipeline/pipeline.ts';
import type { TaskHosts } from '../../task/task.ts';
import { hostNamed, hostsOf } from '../session/hosts.ts';

/** The hosts that tasks act on: those of the scope, or all hosts of the cluster without one. */
export function scopedHosts(cluster: Cluster, scope: Scope | undefined): TaskHosts {
  const key = scope ?? cluster;
  const known = cache.get(key) ?? (scope ? hostsOfScope(scope) : wholeCluster(cluster));
  cache.set(key, known);
  return known;
}

function wholeCluster(cluster: Cluster): TaskHosts {
  const hosts = hostsOf(cluster);
  return Object.freeze({ ...hosts, firstMaster: hosts.withRole('master')[0] });
}

function hostsOfScope({ cluster, hosts: names, master }: Scope): TaskHosts {
  const whole = hostsOf(cluster);
  const selected = new Set(names);
  const isSelected = ({ name }: Host) => selected.has(name);
  // Fails for a name that is not a host of the cluster.
  for (const name of names) hostNamed(whole, name);
  return Object.freeze({
    all: whole.all.filter(isSelected),
    withRole: (role: Role) => whole.withRole(role).filter(isSelected),
    firstMaster: hostNamed(whole, master),
  });
}

/** Modules of one pipeline share their scope, and a cluster can have thousands of hosts. */
const cache = new WeakMap<object, TaskHosts>();
