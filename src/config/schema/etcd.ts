import { z } from 'zod';
import { isSchedule } from '../value/schedule.ts';
import { absolutePath, choice, extraArgs, formatted, text, url, version, whole } from './fields.ts';

const external = z.strictObject({
  endpoints: z.array(url()).min(1, { error: 'must name at least one endpoint' }).describe('URLs of the members.'),
  caFile: text().optional().describe('CA of the servers, on this machine.'),
  certFile: text().optional().describe('Client certificate, on this machine.'),
  keyFile: text().optional().describe('Client key, on this machine.'),
});

/** Where the cluster keeps its state. */
export const etcdSchema = z.strictObject({
  type: choice(['kubexm', 'kubeadm', 'external'])
    .default('kubexm')
    .describe('kubexm: a service of its own on the etcd hosts; kubeadm: static pods on the masters; external: yours.'),
  version: version().optional().describe('etcd version; by default the one that belongs to the Kubernetes version.'),
  dataDir: absolutePath().default('/var/lib/etcd').describe('Where the data is kept.'),
  external: external.optional().describe('Your etcd, for type external.'),
  heartbeatInterval: whole(10, 60_000).default(250).describe('Milliseconds between heartbeats.'),
  electionTimeout: whole(50, 50_000).default(5000).describe('Milliseconds until an election; at least five heartbeats.'),
  snapshotCount: whole(1).default(10_000).describe('Transactions between two snapshots to disk.'),
  autoCompactionRetention: whole(0).default(8).describe('Hours of history to keep; 0 keeps all.'),
  metrics: choice(['basic', 'extensive']).default('basic').describe('Detail of the metrics.'),
  quotaBackendBytes: whole(1_048_576).default(2_147_483_648).describe('Largest size of the database; more than 8 GiB is not advised.'),
  maxRequestBytes: whole(1024).default(1_572_864).describe('Largest request.'),
  maxSnapshots: whole(0).default(5).describe('Snapshot files to keep; 0 keeps all.'),
  maxWals: whole(0).default(5).describe('WAL files to keep; 0 keeps all.'),
  logLevel: choice(['debug', 'info', 'warn', 'error', 'panic', 'fatal']).default('info').describe('Log level.'),
  extraArgs: extraArgs().describe('More flags of etcd: name without dashes and value.'),
  backup: z
    .strictObject({
      dir: absolutePath().default('/var/backups/kubexm/etcd').describe('Where snapshots go, on the etcd hosts.'),
      schedule: formatted('a schedule: hourly, daily, weekly, every 30m, or five cron fields', isSchedule).default('daily').describe('When snapshots are taken.'),
      keep: whole(1).default(7).describe('Snapshots to keep.'),
    })
    .optional()
    .describe('Scheduled snapshots; none if not given. Not yet: nothing is done.'),
});
