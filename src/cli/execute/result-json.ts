import { KubexmError } from '../../common/errors/errors.ts';
import { masked } from '../../common/secret.ts';
import type { PlanResult } from '../../runtime/run/run-plan.ts';
import type { Session } from '../../runtime/session/session.ts';

/** What `-o json` prints at the end of a run. */
export function resultJson(result: PlanResult, { hosts, connector }: Pick<Session, 'hosts' | 'connector'>) {
  const { outcome, exit, run, counts, failures, setAside, changed, error, rollback, paths } = result;
  const { undone, notUndone, notStarted, inFlight, goOn } = rollback;
  return {
    outcome,
    exit,
    run,
    counts,
    failures: failures.map(({ node, error }) => ({
      host: node.host.name,
      step: node.step.name,
      node: node.id,
      ...why(error),
    })),
    setAside: setAside.map(({ host, node, error }) => ({ host, node, ...why(error) })),
    changed,
    undone,
    notUndone,
    notStarted,
    inFlight,
    ...(error !== undefined && { error: why(error) }),
    ...(outcome !== 'done' && { goOn }),
    /** How often each host was asked or told something. */
    roundTrips: Object.fromEntries(hosts.all.map((host) => [host.name, connector(host).roundTrips])),
    log: paths.log,
  };
}

/** JSON without secrets, also where one stands in the middle of a text. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? masked(each) : each), 2);

const why = (error: unknown) =>
  error instanceof KubexmError
    ? { code: error.code, ...error.report }
    : { code: 'INTERNAL', title: 'This is a defect of kubexm', message: String(error), hint: '' };
