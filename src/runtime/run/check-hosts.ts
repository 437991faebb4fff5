import type { Cache } from '../../cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Diagnostic } from '../../config/load/diagnostic.ts';
import type { ContextFor } from '../../engine/execute.ts';
import { preview } from '../../engine/preview.ts';
import type { Stop } from '../../engine/stop.ts';
import { checkHosts as pipeline } from '../../pipeline/hosts/check.ts';
import type { CheckFinding } from '../../step/preflight/check.ts';
import { checks } from '../../step/preflight/checks.ts';
import { findingsText, summaryOf, type Paint } from '../../step/preflight/findings-text.ts';
import { FINDINGS } from '../../step/preflight/keys.ts';
import { splitList } from '../../util/text.ts';
import { filterPlan } from '../plan/filter-plan.ts';
import { plan } from '../plan/plan.ts';
import type { Session } from '../session/session.ts';

/** What a check has to say about a host. */
export type HostFinding = CheckFinding;

/** How hosts are to be checked. */
export interface CheckHostsOptions {
  /** Names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  /** Ids of checks whose errors are only told. */
  readonly ignore: readonly string[];
  /** What is to be said of the cluster file. */
  readonly lint: readonly Diagnostic[];
  readonly stop: Stop;
}

/** What all checks say of the hosts. Only looks are made: no lock, no journal, and nothing stays on the hosts. */
export async function checkHosts(session: Session, options: CheckHostsOptions): Promise<readonly HostFinding[]> {
  const { nodes, ignore, lint, stop } = options;
  const graph = plan(pipeline({ ignore, lint }), session.cluster);
  const filter = { nodes, tags: [], skipTags: [], task: undefined };
  let cache: Cache | undefined;
  const inner = session.stepContexts('check');
  const contextFor: ContextFor = async (...given) => {
    const ctx = await inner(...given);
    ({ cache } = ctx);
    return ctx;
  };
  await preview(filterPlan(graph, session.cluster, filter).graph, { contextFor, stop });
  const findings = cache?.get(FINDINGS);
  if (!findings) throw fail('INTERRUPTED', {});
  return findings;
}

/** Findings for people, and how many there are. */
export const checkText = (findings: readonly HostFinding[], columns: number, paint: Paint) => ({
  findings: findingsText(findings, columns, paint),
  summary: summaryOf(findings),
});

/** The ids that a list on the command line names; throws when there is no such check. */
export function checkIds(lists: readonly string[]): readonly string[] {
  const known = new Map(checks.map(({ id }) => [id.toLowerCase(), id]));
  return splitList(lists).map((word) => {
    const id = known.get(word.toLowerCase());
    if (id) return id;
    throw fail('USAGE', { message: `There is no check ${word}.`, help: `Checks: ${[...known.values()].join(', ')}` });
  });
}

/** What each check is about, for the reference page. */
export const checkList = checks.map(({ id, title, about, severities }) => ({ id, title, about, severities }));
