import { isNode } from '../../../common/host.ts';
import { defineCheck, hasRole } from '../check.ts';
import { gib } from '../fixes.ts';

export const hardware = defineCheck({
  id: 'PF3',
  title: 'Processors and memory',
  about:
    'Two processors; 4 GB of memory on masters, 2 GB on workers. Hosts that only balance or serve images need less.',
  severities: ['error', 'warning'],
  each: ({ host, facts: { cpus, memoryBytes } }) => {
    const severity = isNode(host) || hasRole(host, 'etcd') ? ('error' as const) : ('warning' as const);
    const master = hasRole(host, 'master');
    const wantedGib = master ? 4 : 2;
    return [
      ...(cpus >= 2
        ? []
        : [
            { severity, found: `${cpus} processor`, wanted: 'at least 2', fix: 'Give the machine one more processor.' },
          ]),
      // A machine of 4 GiB has less of it left for Linux to count.
      ...(memoryBytes >= wantedGib * 0.9 * 2 ** 30
        ? []
        : [
            {
              severity,
              found: `${gib(memoryBytes)} of memory`,
              wanted: `at least ${wantedGib} GB on a ${master ? 'master' : (host.roles[0] ?? 'host')}`,
              fix: 'Give the machine more memory, or leave the role to another host.',
            },
          ]),
    ];
  },
});
