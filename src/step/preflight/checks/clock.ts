import { etcdOn } from '../../../config/model/ports.ts';
import { medianClockSkew, type Facts } from '../../../runner/facts.ts';
import { OTHER_TIME_SERVICES } from '../../../runner/facts/services.ts';
import { defineCheck, type CheckInput, type FindingDetails, type FindingOnHost, type HostReport } from '../check.ts';
import { install } from '../fixes.ts';

export const clock = defineCheck({
  id: 'PF6',
  title: 'Clock synchronization',
  about:
    'The clock differs from the median of all hosts by at most 5 s (0.5 s on etcd hosts), and a time service synchronizes it.',
  severities: ['error', 'warning'],
  each: (report, input) => [...skew(report, input), ...timeService(report, input)],
  across: localClock,
});

function skew(
  { host, facts }: HostReport,
  { cluster, reports, established = [] }: CheckInput,
): readonly FindingDetails[] {
  const running = reports.filter((each) => established.includes(each.host.name));
  const reference = running.length > 0 ? running : reports;
  const offset = facts.clockSkewMs - medianClockSkew(reference.map((each) => each.facts));
  const found = `the clock is ${seconds(offset)} ${offset > 0 ? 'ahead of' : 'behind'} the other hosts`;
  if (Math.abs(offset) > 5000) return [{ severity: 'error', found, wanted: 'at most 5 s', fix: correct(facts) }];
  if (Math.abs(offset) > 500 && etcdOn(cluster, host))
    return [{ severity: 'warning', found, wanted: 'at most 0.5 s on an etcd host', fix: correct(facts) }];
  return [];
}

function localClock({ reports }: CheckInput): readonly FindingOnHost[] {
  const offset = -medianClockSkew(reports.map(({ facts }) => facts));
  if (reports.length === 0 || Math.abs(offset) <= 5000) return [];
  const found = `the clock of this machine is ${seconds(offset)} ${offset > 0 ? 'ahead of' : 'behind'} the hosts`;
  return [
    {
      host: 'local',
      severity: 'warning',
      found,
      wanted: 'at most 5 s: certificates are created on this machine',
      fix: 'chronyc makestep || timedatectl set-ntp true',
    },
  ];
}

function timeService({ facts, probe }: HostReport, { cluster }: CheckInput): readonly FindingDetails[] {
  const active = TIME_SERVICES.filter((name) => facts.services[name] === 'active');
  const managed = cluster.system.time.type !== 'none';
  if (active.length === 0)
    return [
      managed
        ? {
            severity: 'warning',
            found: 'no time service is active',
            wanted: `one of ${TIME_SERVICES.join(', ')}: create cluster sets up chrony`,
            fix: start(facts),
          }
        : {
            severity: 'error',
            found: 'no time service is active',
            wanted: `one of ${TIME_SERVICES.join(', ')} is active`,
            fix: start(facts),
          },
    ];
  return probe.timeIsSynchronized
    ? []
    : [
        {
          severity: 'warning',
          found: `${active[0]} is active, but the clock is not synchronized`,
          wanted: 'a reachable time server',
          fix: 'chronyc sources -v || timedatectl timesync-status',
        },
      ];
}

const TIME_SERVICES = ['chronyd', 'chrony', ...OTHER_TIME_SERVICES];

const unit = ({ family }: Facts) => (family === 'debian' ? 'chrony' : 'chronyd');
const isInstalled = ({ services }: Facts, name: string) => (services[name] ?? 'absent') !== 'absent';

/** The command that starts the installed time service; if there is none, it installs chrony. */
function start(facts: Facts): string {
  const installed = TIME_SERVICES.find((name) => isInstalled(facts, name));
  return installed
    ? `systemctl enable --now ${installed}`
    : `${install(facts, ['chrony'])} && systemctl enable --now ${unit(facts)}`;
}

/** The command that corrects the clock immediately. */
function correct(facts: Facts): string {
  const service =
    TIME_SERVICES.find((name) => facts.services[name] === 'active') ??
    TIME_SERVICES.find((name) => isInstalled(facts, name));
  if (service === undefined || service.startsWith('chrony')) return `${start(facts)} && chronyc makestep`;
  return `systemctl restart ${service}`;
}

const seconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`;
