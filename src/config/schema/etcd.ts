import { z } from 'zod';
import { ETCD_TYPES } from '../data/choices.ts';
import { isSchedule } from '../value/time.ts';
import { choice, dataDirectory, extraArgs, formatted, text, url, version, whole } from './fields.ts';

const external = z.strictObject({
  endpoints: z
    .array(url())
    .min(1, { error: 'must list at least one endpoint' })
    .describe('Client URLs of the etcd members.'),
  caFile: text().optional().describe('CA certificate file on this machine.'),
  certFile: text().optional().describe('Client certificate file on this machine.'),
  keyFile: text().optional().describe('Client key file on this machine.'),
});

export const etcdSchema = z.strictObject({
  type: choice(ETCD_TYPES)
    .default('kubexm')
    .describe(
      'kubexm: systemd service on the etcd hosts; kubeadm: static Pods on the masters; external: an etcd cluster that kubexm does not manage.',
    ),
  version: version()
    .optional()
    .describe('etcd version. Defaults to the version recommended for the Kubernetes version.'),
  dataDir: dataDirectory().default('/var/lib/etcd').describe('Data directory.'),
  external: external.optional().describe('Connection to the external etcd, for type external.'),
  heartbeatInterval: whole(10, 60_000).default(250).describe('Milliseconds between heartbeats.'),
  electionTimeout: whole(50, 50_000)
    .default(5000)
    .describe('Election timeout in milliseconds; at least five times heartbeatInterval.'),
  snapshotCount: whole(1).default(10_000).describe('Transactions between snapshots to disk.'),
  autoCompactionRetention: whole(0).default(8).describe('Hours of history to keep; 0 disables compaction.'),
  metrics: choice(['basic', 'extensive']).default('basic').describe('Detail level of the metrics.'),
  quotaBackendBytes: whole(1_048_576)
    .default(2_147_483_648)
    .describe('Maximum database size in bytes; at most 8 GiB is recommended.'),
  maxRequestBytes: whole(1024).default(1_572_864).describe('Maximum request size in bytes.'),
  maxSnapshots: whole(0).default(5).describe('Snapshot files to keep; 0 keeps all.'),
  maxWals: whole(0).default(5).describe('WAL files to keep; 0 keeps all.'),
  logLevel: choice(['debug', 'info', 'warn', 'error', 'panic', 'fatal']).default('info').describe('Log level.'),
  extraArgs: extraArgs().describe('Additional etcd flags, by name without leading dashes.'),
  backup: z
    .strictObject({
      dir: dataDirectory().default('/var/backups/kubexm/etcd').describe('Snapshot directory on the etcd hosts.'),
      schedule: formatted('a schedule: hourly, daily, weekly, every 30m, or five cron fields', isSchedule)
        .default('daily')
        .describe('Snapshot schedule.'),
      keep: whole(1).default(7).describe('Number of snapshots to keep.'),
    })
    .optional()
    .describe('Scheduled snapshots; disabled if not set. Not implemented yet; has no effect.'),
});
