import { isNode } from '../../../common/host.ts';
import { defineCheck, hasRole } from '../check.ts';
import { gib } from '../fixes.ts';

export const hardware = defineCheck({
  id: 'PF3',
  title: 'CPU and memory',
  about:
    'The host has at least 2 CPUs, and 4 GB of memory on masters or 2 GB on other hosts. Less is only a warning on hosts that are neither nodes nor etcd members.',
  severities: ['error', 'warning'],
  each: ({ host, facts: { cpus, memoryBytes } }) => {
    const severity = isNode(host) || hasRole(host, 'etcd') ? ('error' as const) : ('warning' as const);
    const master = hasRole(host, 'master');
    const wantedGib = master ? 4 : 2;
    return [
      ...(cpus >= 2
        ? []
        : [{ severity, found: `${cpus} CPU`, wanted: 'at least 2 CPUs', fix: 'Add a CPU to the machine.' }]),
      // Linux reports less memory than the machine has.
      ...(memoryBytes >= wantedGib * 0.9 * 2 ** 30
        ? []
        : [
            {
              severity,
              found: `${gib(memoryBytes)} of memory`,
              wanted: `at least ${wantedGib} GB on a ${master ? 'master' : (host.roles[0] ?? 'host')}`,
              fix: 'Add memory to the machine, or assign the role to another host.',
            },
          ]),
    ];
  },
});
