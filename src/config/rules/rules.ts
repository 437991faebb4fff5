import { endpointRules } from './endpoint.ts';
import { etcdRules } from './etcd.ts';
import { flagRules } from './flags.ts';
import { hostRules } from './hosts.ts';
import { networkRules } from './network.ts';
import { roleRules } from './roles.ts';
import type { Rule } from './rule.ts';
import { serviceRules } from './services.ts';
import { systemRules } from './system.ts';
import { versionRules } from './versions.ts';

/** All rules for the cluster file, in the order of the reference page. */
export const rules: readonly Rule[] = [
  ...hostRules,
  ...roleRules,
  ...endpointRules,
  ...etcdRules,
  ...networkRules,
  ...versionRules,
  ...flagRules,
  ...serviceRules,
  ...systemRules,
];
