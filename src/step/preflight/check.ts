import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Diagnostic, Severity } from '../../config/diagnostic/diagnostic.ts';
import type { Facts } from '../../runner/facts.ts';
import type { Attempt } from './connectivity/connections.ts';
import type { Probe } from './probe/probe.ts';

/** One thing that a check has to say about a host: what is there, what should be, and what to paste to get there. */
export interface CheckFinding {
  /** "PF3" */
  readonly check: string;
  readonly host: string;
  readonly severity: Severity;
  readonly found: string;
  readonly wanted: string;
  readonly fix: string;
}

/** A host that was looked at. */
export interface HostReport {
  readonly host: ClusterHost;
  readonly facts: Facts;
  readonly probe: Probe;
}

/** All that checks decide by: plain data, so that a check needs no machine. */
export interface CheckInput {
  readonly cluster: Cluster;
  readonly reports: readonly HostReport[];
  /** Hosts that could not be looked at, and why. */
  readonly unreached: ReadonlyMap<string, unknown>;
  /** What hosts found when they tried to reach each other. */
  readonly attempts: readonly Attempt[];
  /** What is to be said of the cluster file. */
  readonly lint: readonly Diagnostic[];
  /** The check is all that is wanted; otherwise hosts that cannot be reached may be set aside. */
  readonly strict: boolean;
}

/** What a check says, before its id is on it. */
export type HostFinding = Omit<CheckFinding, 'check'>;

/** A question about hosts, with its answer as a pure function. */
export interface Check {
  /** Permanent: people write it on command lines. */
  readonly id: string;
  readonly title: string;
  /** What is looked at, in one sentence for the reference page. */
  readonly about: string;
  /** Errors first: what it can say. */
  readonly severities: readonly Severity[];
  readonly judge: (scene: CheckInput) => readonly CheckFinding[];
}

/** A check as it is written down. */
interface CheckSpec extends Omit<Check, 'judge'> {
  /** Says something about one host at a time. */
  readonly each?: (report: HostReport, scene: CheckInput) => readonly Omit<HostFinding, 'host'>[];
  /** Says something about hosts together. */
  readonly across?: (scene: CheckInput) => readonly HostFinding[];
}

export function defineCheck({ each, across, ...spec }: CheckSpec): Check {
  const judge = (scene: CheckInput): readonly CheckFinding[] =>
    [
      ...scene.reports.flatMap((report) =>
        (each?.(report, scene) ?? []).map((judgement) => ({ host: report.host.name, ...judgement })),
      ),
      ...(across?.(scene) ?? []),
    ].map((judgement) => Object.freeze({ check: spec.id, ...judgement }));
  return Object.freeze({ ...spec, judge });
}

/** Whether the host was made a part of this cluster before: then what runs there is ours. */
export const belongsToCluster = ({ probe }: HostReport, { cluster }: CheckInput): boolean => probe.clusters.includes(cluster.name);

export const hasRole = ({ roles }: Pick<ClusterHost, 'roles'>, ...wanted: ClusterHost['roles']): boolean =>
  wanted.some((role) => roles.includes(role));
