import type { Facts } from '../../../runner/facts.ts';
import { defineCheck } from '../check.ts';

export const system = defineCheck({
  id: 'PF2',
  title: 'Operating system',
  about: 'The system is one that kubexm knows, with systemd, on the processor that the file says.',
  severities: ['error', 'warning'],
  each: ({ host, facts }) => [
    ...known(facts),
    ...(facts.init === 'systemd'
      ? []
      : [
          {
            severity: 'error' as const,
            found: `it was started by ${facts.init || 'something unknown'}`,
            wanted: 'systemd as the first process',
            fix: 'Take a system with systemd for this host.',
          },
        ]),
    ...(host.arch === undefined || host.arch === facts.arch
      ? []
      : [
          {
            severity: 'error' as const,
            found: `its processor is ${facts.arch}`,
            wanted: `${host.arch}, as the file says`,
            fix: `In the file: hosts.${host.name}.arch: ${facts.arch}`,
          },
        ]),
  ],
});

function known({ os, family }: Facts) {
  const versions = SYSTEMS[os.id];
  if (versions?.some((version) => os.versionId === version || os.versionId.startsWith(`${version}.`))) return [];
  const found = `${os.prettyName} (${os.id} ${os.versionId})`;
  const wanted = versions ? `${os.id} ${versions.join(', ')}` : SYSTEM_LIST;
  // What is built like a known system works like one, most of the time.
  if (family !== 'other')
    return [
      {
        severity: 'warning' as const,
        found: `${found} is not in the support matrix`,
        wanted,
        fix: 'Go on at your own risk, or take one of the systems of the matrix.',
      },
    ];
  return [
    {
      severity: 'error' as const,
      found: `${found} is not in the support matrix`,
      wanted,
      fix: 'Take one of the systems of the matrix for this host.',
    },
  ];
}

/** The support matrix: the ID of /etc/os-release and the beginnings of its VERSION_ID. */
export const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  debian: ['11', '12', '13'],
  ubuntu: ['20.04', '22.04', '24.04'],
  rhel: ['7', '8', '9', '10'],
  centos: ['7', '8', '9', '10'],
  rocky: ['8', '9', '10'],
  almalinux: ['8', '9', '10'],
  ol: ['8', '9'],
  openeuler: ['20.03', '22.03', '24.03'],
  kylin: ['V10', 'V11'],
  anolis: ['8', '23'],
  uos: ['20'],
  opencloudos: ['8', '9'],
};

const SYSTEM_LIST = 'Debian, Ubuntu, RHEL, CentOS, Rocky, Alma, Oracle, openEuler, Kylin, Anolis, UOS or OpenCloudOS';
