import { KubexmError } from '../../common/errors/errors.ts';
import type { PlanResult } from '../../runtime/run/run-plan.ts';
import type { Session } from '../../runtime/session/session.ts';

/** Returns the output of `-o json` at the end of a run. Field names never change. */
export function resultJson(result: PlanResult, { hosts, connector }: Pick<Session, 'hosts' | 'connector'>) {
  const { outcome, exit, run, counts, failures, quarantined, changed, error, rollback, paths, criticalPath } = result;
  const { undone, notUndone, notStarted, inFlight, resumeCommand } = rollback;
  return {
    outcome,
    exit,
    run,
    counts,
    failures: failures.map(({ node, error }) => ({
      host: node.host.name,
      step: node.step.name,
      node: node.id,
      ...errorFields(error),
    })),
    setAside: quarantined.map(({ host, node, error }) => ({ host, node, ...errorFields(error) })),
    changed,
    undone,
    notUndone,
    notStarted,
    inFlight,
    ...(error !== undefined && { error: errorFields(error) }),
    ...(outcome !== 'done' && { goOn: resumeCommand }),
    /** The critical path: the steps that determined the duration of the run, in order. */
    criticalPath: criticalPath.map(({ node, ms }) => ({ node: node.id, ms })),
    /** SSH round trips to each host. */
    roundTrips: Object.fromEntries(hosts.all.map((host) => [host.name, connector(host).roundTrips])),
    log: paths.log,
  };
}

const errorFields = (error: unknown) =>
  error instanceof KubexmError
    ? { code: error.code, ...error.report }
    : { code: 'INTERNAL', title: 'Internal error in kubexm', message: String(error), hint: '' };
