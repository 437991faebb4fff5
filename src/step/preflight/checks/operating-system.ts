import type { Facts } from '../../../runner/facts.ts';
import { defineCheck } from '../check.ts';

export const operatingSystem = defineCheck({
  id: 'PF2',
  title: 'Operating system',
  about:
    'The operating system is in the support matrix and runs systemd, and the CPU architecture matches the cluster file.',
  severities: ['error', 'warning'],
  each: ({ host, facts }) => [
    ...supported(facts),
    ...(facts.init === 'systemd'
      ? []
      : [
          {
            severity: 'error' as const,
            found: `the init system is ${facts.init || 'unknown'}`,
            wanted: 'systemd',
            fix: 'Install an operating system with systemd on this host.',
          },
        ]),
    ...(host.arch === undefined || host.arch === facts.arch
      ? []
      : [
          {
            severity: 'error' as const,
            found: `the CPU architecture is ${facts.arch}`,
            wanted: `${host.arch}, as in the cluster file`,
            fix: `Set hosts.${host.name}.arch: ${facts.arch} in the cluster file`,
          },
        ]),
  ],
});

function supported({ os, family }: Facts) {
  const versions = SYSTEMS[os.id];
  if (versions?.some((version) => os.versionId === version || os.versionId.startsWith(`${version}.`))) return [];
  const found = `${os.prettyName} (${os.id} ${os.versionId})`;
  const wanted = versions ? `${os.id} ${versions.join(', ')}` : SYSTEM_LIST;
  // Derivatives of a supported distribution usually work.
  if (family !== 'other')
    return [
      {
        severity: 'warning' as const,
        found: `${found} is not in the support matrix`,
        wanted,
        fix: 'Continue at your own risk, or install one of the supported systems.',
      },
    ];
  return [
    {
      severity: 'error' as const,
      found: `${found} is not in the support matrix`,
      wanted,
      fix: 'Install one of the supported systems on this host.',
    },
  ];
}

/** The support matrix: ID and prefixes of VERSION_ID in /etc/os-release. */
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
