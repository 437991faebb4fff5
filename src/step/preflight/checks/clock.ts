import { etcdOn } from '../../../config/model/ports.ts';
import { medianClockSkew, type Facts } from '../../../runner/facts.ts';
import { OTHER_TIME_SERVICES } from '../../../runner/facts/services.ts';
import { defineCheck, type HostReport, type HostFinding, type CheckInput } from '../check.ts';
import { install } from '../fixes.ts';

export const time = defineCheck({
  id: 'PF6',
  title: 'Time',
  about:
    'The clock is at most 5 s away from the median of all hosts (0.5 s on etcd hosts), and something keeps it right.',
  severities: ['error', 'warning'],
  each: (report, scene) => [...skew(report, scene), ...service(report, scene)],
  across: local,
});

function skew({ host, facts }: HostReport, { cluster, reports }: CheckInput): readonly Omit<HostFinding, 'host'>[] {
  const away = facts.clockSkewMs - medianClockSkew(reports.map((each) => each.facts));
  const found = `its clock is ${seconds(away)} ${away > 0 ? 'ahead of' : 'behind'} the other hosts`;
  if (Math.abs(away) > 5000) return [{ severity: 'error', found, wanted: 'at most 5 s', fix: step(facts) }];
  if (Math.abs(away) > 500 && etcdOn(cluster, host))
    return [{ severity: 'warning', found, wanted: 'at most 0.5 s on an etcd host', fix: step(facts) }];
  return [];
}

function local({ reports }: CheckInput): readonly HostFinding[] {
  const away = -medianClockSkew(reports.map(({ facts }) => facts));
  if (reports.length === 0 || Math.abs(away) <= 5000) return [];
  const found = `the clock of this machine is ${seconds(away)} ${away > 0 ? 'ahead of' : 'behind'} the hosts`;
  return [
    {
      host: 'local',
      severity: 'warning',
      found,
      wanted: 'at most 5 s: certificates are made here',
      fix: 'chronyc makestep || timedatectl set-ntp true',
    },
  ];
}

function service({ facts, probe }: HostReport, { cluster }: CheckInput): readonly Omit<HostFinding, 'host'>[] {
  const active = KEEPERS.filter((name) => facts.services[name] === 'active');
  const managed = cluster.system.time.type !== 'none';
  if (active.length === 0)
    return [
      managed
        ? {
            severity: 'warning',
            found: 'nothing keeps its clock right',
            wanted: `${KEEPERS.join(', ')}: create cluster sets up chrony`,
            fix: start(facts),
          }
        : {
            severity: 'error',
            found: 'nothing keeps its clock right',
            wanted: `one of ${KEEPERS.join(', ')} is active`,
            fix: start(facts),
          },
    ];
  return probe.timeIsSynchronized
    ? []
    : [
        {
          severity: 'warning',
          found: `${active[0]} is active, but the clock is not synchronised yet`,
          wanted: 'a time server that answers',
          fix: 'chronyc sources -v || timedatectl timesync-status',
        },
      ];
}

const KEEPERS = ['chronyd', 'chrony', ...OTHER_TIME_SERVICES];

const unit = ({ family }: Facts) => (family === 'debian' ? 'chrony' : 'chronyd');
const isThere = ({ services }: Facts, name: string) => (services[name] ?? 'absent') !== 'absent';

/** With what is there; otherwise chrony comes first. */
function start(facts: Facts): string {
  const own = KEEPERS.find((name) => isThere(facts, name));
  return own
    ? `systemctl enable --now ${own}`
    : `${install(facts, ['chrony'])} && systemctl enable --now ${unit(facts)}`;
}

/** Whatever keeps the time looks again, and jumps there. */
function step(facts: Facts): string {
  const own = KEEPERS.find((name) => facts.services[name] === 'active') ?? KEEPERS.find((name) => isThere(facts, name));
  if (own === undefined || own.startsWith('chrony')) return `${start(facts)} && chronyc makestep`;
  return `systemctl restart ${own}`;
}

const seconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`;
