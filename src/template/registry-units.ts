import { systemdUnit } from './systemd-unit.ts';

export interface RegistryUnits {
  readonly program: string;
  readonly user: string;
  readonly dataDir: string;
  readonly config: string;
  readonly readOnlyConfig: string;
  readonly port: number;
  /** The read-only service always runs, without a login, beside the registry, which accepts pushes on its own port. */
  readonly anonymousPull: boolean;
}

export const REGISTRY_UNIT = 'kubexm-registry.service';
export const READ_ONLY_UNIT = 'kubexm-registry-read-only.service';
export const GC_UNIT = 'kubexm-registry-gc.service';
export const GC_TIMER = 'kubexm-registry-gc.timer';

/**
 * Unit files by name. During garbage collection a read-only service replaces the registry, because a concurrent push
 * could lose blobs. Starting the registry stops a running collection, and the registry starts again after a collection
 * no matter how it ends. If images can be pulled without a login, the read-only service has its own port and keeps running.
 */
export const registryUnits = (options: RegistryUnits): Readonly<Record<string, string>> => ({
  [REGISTRY_UNIT]: systemdUnit({
    Unit: {
      Description: 'Image registry',
      Documentation: 'https://distribution.github.io/distribution/',
      Wants: options.anonymousPull ? `network-online.target ${READ_ONLY_UNIT}` : 'network-online.target',
      After: `network-online.target ${GC_UNIT} ${READ_ONLY_UNIT}`,
      Conflicts: options.anonymousPull ? GC_UNIT : `${GC_UNIT} ${READ_ONLY_UNIT}`,
      RequiresMountsFor: options.dataDir,
    },
    Service: registryService(options, options.config),
    Install: { WantedBy: 'multi-user.target' },
  }),
  [READ_ONLY_UNIT]: systemdUnit({
    Unit: options.anonymousPull
      ? {
          Description: 'Image registry for pulls without a login',
          Wants: 'network-online.target',
          After: 'network-online.target',
          RequiresMountsFor: options.dataDir,
        }
      : {
          Description: 'Image registry while it collects garbage: images can be pulled only',
          Conflicts: REGISTRY_UNIT,
          PartOf: GC_UNIT,
        },
    Service: registryService(options, options.readOnlyConfig),
  }),
  [GC_UNIT]: systemdUnit({
    Unit: {
      Description: 'Remove from the image registry what no image refers to',
      Requires: READ_ONLY_UNIT,
      After: READ_ONLY_UNIT,
    },
    Service: {
      // Not oneshot: starting the registry in ExecStopPost would cancel this unit's own start job.
      Type: 'simple',
      // Runs as root, because older versions of systemd cannot run only ExecStopPost with privileges. Its capabilities are
      // limited to removing files of the registry user.
      ...sandbox(options),
      CapabilityBoundingSet: 'CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER',
      ExecStart: `${options.program} garbage-collect ${options.config}`,
      ExecStopPost: `/bin/sh -c '! systemctl is-enabled --quiet ${REGISTRY_UNIT} || systemctl --no-block start ${REGISTRY_UNIT}'`,
      Nice: 10,
      IOSchedulingClass: 'idle',
      RuntimeMaxSec: '6h',
    },
  }),
  [GC_TIMER]: systemdUnit({
    Unit: { Description: 'Collect garbage of the image registry once a week' },
    Timer: { OnCalendar: 'Sun *-*-* 03:17:00', RandomizedDelaySec: '30min', Persistent: 'false' },
    Install: { WantedBy: 'timers.target' },
  }),
});

const registryService = (options: RegistryUnits, config: string) => ({
  Type: 'simple',
  User: options.user,
  Group: options.user,
  ...sandbox(options),
  ExecStart: `${options.program} serve ${config}`,
  Restart: 'always',
  RestartSec: '2s',
  ...(options.port < 1024
    ? { AmbientCapabilities: 'CAP_NET_BIND_SERVICE', CapabilityBoundingSet: 'CAP_NET_BIND_SERVICE' }
    : { CapabilityBoundingSet: '' }),
  LimitNOFILE: 65_536,
});

/** Only the data directory is writable. */
const sandbox = ({ dataDir }: RegistryUnits) => ({
  // Otherwise the registry sends traces to a collector on this host, which does not exist.
  Environment: 'OTEL_TRACES_EXPORTER=none',
  ReadWritePaths: dataDir,
  ProtectSystem: 'strict',
  ProtectHome: 'true',
  PrivateTmp: 'true',
  PrivateDevices: 'true',
  NoNewPrivileges: 'true',
  ProtectKernelTunables: 'true',
  ProtectKernelModules: 'true',
  ProtectKernelLogs: 'true',
  ProtectControlGroups: 'true',
  ProtectClock: 'true',
  ProtectHostname: 'true',
  RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX',
  RestrictNamespaces: 'true',
  RestrictRealtime: 'true',
  RestrictSUIDSGID: 'true',
  LockPersonality: 'true',
  MemoryDenyWriteExecute: 'true',
  SystemCallArchitectures: 'native',
  SystemCallFilter: '@system-service',
  SystemCallErrorNumber: 'EPERM',
  UMask: '0027',
});
