import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Diagnostic, Severity } from '../../config/diagnostic/diagnostic.ts';
import type { Facts } from '../../runner/facts.ts';
import type { Attempt } from './connectivity/attempt.ts';
import type { Probe } from './probe/probe.ts';

/** A finding of a check on a host: the actual state, the desired state, and a command or advice that fixes it. */
export interface CheckFinding {
  /** "PF3" */
  readonly check: string;
  readonly host: string;
  readonly severity: Severity;
  readonly found: string;
  readonly wanted: string;
  readonly fix: string;
}

/** The facts and probe results of a host. */
export interface HostReport {
  readonly host: ClusterHost;
  readonly facts: Facts;
  readonly probe: Probe;
}

/** The input of all checks: plain data, so that checks can be tested without hosts. */
export interface CheckInput {
  readonly cluster: Cluster;
  readonly reports: readonly HostReport[];
  /** Hosts that could not be probed, each with the error. */
  readonly unreachable: ReadonlyMap<string, unknown>;
  /** Results of the connections that hosts opened to each other. */
  readonly attempts: readonly Attempt[];
  /** Diagnostics of the cluster file. */
  readonly lint: readonly Diagnostic[];
  /** Every unreachable host is an error. Otherwise unreachable workers only cause a warning and are quarantined. */
  readonly strict: boolean;
  /** Hosts that already run: new hosts are compared with them. Empty if all hosts are new. */
  readonly established?: readonly string[];
}

/** The part of a finding that a check provides for the host it is evaluated on. */
export type FindingDetails = Omit<CheckFinding, 'check' | 'host'>;

/** A finding that is not limited to the host being evaluated. */
export type FindingOnHost = Omit<CheckFinding, 'check'>;

/** A preflight check. It is a pure function of its input. */
export interface Check {
  /** Permanent: users type it on command lines. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the reference page. */
  readonly about: string;
  /** The severities that its findings can have, most severe first. */
  readonly severities: readonly Severity[];
  /** Its findings on a host can be about other hosts, so they count on established hosts as well. */
  readonly involvesOthers?: boolean;
  readonly evaluate: (input: CheckInput) => readonly CheckFinding[];
}

interface CheckSpec extends Omit<Check, 'evaluate'> {
  /** Evaluated for each host. */
  readonly each?: (report: HostReport, input: CheckInput) => readonly FindingDetails[];
  /** Evaluated once, for all hosts together. */
  readonly across?: (input: CheckInput) => readonly FindingOnHost[];
}

export function defineCheck({ each, across, ...spec }: CheckSpec): Check {
  const evaluate = (input: CheckInput): readonly CheckFinding[] =>
    [
      ...input.reports.flatMap((report) =>
        (each?.(report, input) ?? []).map((details) => ({ host: report.host.name, ...details })),
      ),
      ...(across?.(input) ?? []),
    ].map((finding) => Object.freeze({ check: spec.id, ...finding }));
  return Object.freeze({ ...spec, evaluate });
}

/** Whether the host already belongs to this cluster, so that whatever runs there is not a leftover. */
export const belongsToCluster = ({ probe }: HostReport, { cluster }: CheckInput): boolean =>
  probe.clusters.includes(cluster.name);

export const hasRole = ({ roles }: Pick<ClusterHost, 'roles'>, ...wanted: ClusterHost['roles']): boolean =>
  wanted.some((role) => roles.includes(role));
