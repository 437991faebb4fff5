import { KubexmError } from '../../common/errors.ts';
import { masked } from '../../common/secret.ts';
import type { PlanResult } from '../../runtime/run-plan.ts';

/** What `-o json` prints at the end of a run. */
export function resultJson({
  outcome,
  exit,
  run,
  counts,
  failures,
  setAside,
  changed,
  error,
  rollback,
  paths,
}: PlanResult) {
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
