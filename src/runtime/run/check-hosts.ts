import type { Cache } from '../../cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import type { ContextFor } from '../../engine/execution.ts';
import { preview } from '../../engine/preview.ts';
import type { Stop } from '../../engine/stop.ts';
import { checkHostsPipeline } from '../../pipeline/hosts.ts';
import type { CheckFinding } from '../../step/preflight/check.ts';
import { checks } from '../../step/preflight/checks.ts';
import { formatFindings, summarizeFindings, type Paint } from '../../step/preflight/format-findings.ts';
import { FINDINGS } from '../../step/preflight/cache-keys.ts';
import { splitList } from '../../util/text.ts';
import { filterPlan } from '../plan/filter-plan.ts';
import { plan } from '../plan/plan.ts';
import type { Session } from '../session/session.ts';

/** A finding of one check on one host. */
export type HostFinding = CheckFinding;

/** Options for checking hosts. */
export interface CheckHostsOptions {
  /** Host names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  /** IDs of checks whose errors are reported but ignored. */
  readonly ignore: readonly string[];
  /** Diagnostics of the cluster file, reported with the findings. */
  readonly lint: readonly Diagnostic[];
  readonly stop: Stop;
}

/** Runs all preflight checks on the hosts. Read-only: no lock, no journal, and the hosts are left unchanged. */
export async function checkHosts(session: Session, options: CheckHostsOptions): Promise<readonly HostFinding[]> {
  const { nodes, ignore, lint, stop } = options;
  const graph = plan(checkHostsPipeline({ ignore, lint }), session.cluster);
  const filter = { nodes, tags: [], skipTags: [], task: undefined };
  let cache: Cache | undefined;
  const stepContext = session.stepContexts('check');
  const contextFor: ContextFor = async (...args) => {
    const ctx = await stepContext(...args);
    ({ cache } = ctx);
    return ctx;
  };
  await preview(filterPlan(graph, session.cluster, filter).graph, { contextFor, stop });
  const findings = cache?.get(FINDINGS);
  if (!findings) throw fail('INTERRUPTED', {});
  return findings;
}

/** Formats findings and a summary line for the terminal. */
export const checkText = (findings: readonly HostFinding[], columns: number, paint: Paint) => ({
  findings: formatFindings(findings, columns, paint),
  summary: summarizeFindings(findings),
});

/** Parses check IDs from the command line. Throws if one is unknown. */
export function checkIds(lists: readonly string[]): readonly string[] {
  const known = new Map(checks.map(({ id }) => [id.toLowerCase(), id]));
  return splitList(lists).map((word) => {
    const id = known.get(word.toLowerCase());
    if (id) return id;
    throw fail('USAGE', { message: `Unknown check: ${word}`, help: `Checks: ${[...known.values()].join(', ')}` });
  });
}

/** Every check, for the reference page. */
export const checkList = checks.map(({ id, title, about, severities }) => ({ id, title, about, severities }));
