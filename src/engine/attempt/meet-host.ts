import { fail } from '../../common/errors/errors.ts';
import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execute.ts';
import type { HostRun, MetHost } from '../host-run.ts';
import { runNode } from './run-node.ts';

/**
 * Before a step is trusted or begun: meets its host, and looks again at what is through there when the host was started
 * anew, in order, doing again what was lost. Undefined when there is nothing to wait for, which is the rule.
 */
export function settle(execution: Execution, node: PlanNode): Promise<void> | undefined {
  const host = execution.hostRun(node.host);
  if (isSettled(execution, node)) return undefined;
  host.settling ??= settleNow(execution, node, host).finally(() => (host.settling = undefined));
  return host.settling;
}

/** Whether the host was met and has not been started anew since. */
export function isSettled(execution: Execution, node: PlanNode): boolean {
  const { met, shaken } = execution.hostRun(node.host);
  return met !== undefined && !shaken && !isRestarted(execution, node);
}

/** Whether a host is in another boot than the one that is known of it. */
export function isRestarted({ state, hostRun }: Execution, { host }: PlanNode): boolean {
  const boot = hostRun(host).met?.bootId();
  return boot !== undefined && boot !== state.boots.get(host.name);
}

async function settleNow(execution: Execution, node: PlanNode, host: HostRun): Promise<void> {
  const { state, record, report, info: run } = execution;
  const { name } = node.host;
  const say = (line: string) => report({ type: 'said', run, node, at: Date.now(), line });
  host.met ??= await meetFree(execution, node, say);
  const boot = host.met.bootId();
  const known = state.boots.get(name);
  // In the journal at once: from there on what was done before is not trusted, by this run and by the next one.
  if (boot !== undefined && boot !== known) {
    record({ type: 'host', host: name, boot });
    host.shaken = known !== undefined;
  }
  if (!host.shaken) return;
  report({ type: 'restarted', run, node, at: Date.now() });
  host.changes += 1;
  host.ahead = undefined;
  for (const earlier of host.passed) await lookAgain(execution, earlier, say);
  host.shaken = false;
}

/** Nothing is begun while it waits, so that the first wish to stop ends it. */
async function meetFree(
  { deadlines, meet, stop }: Execution,
  { host }: PlanNode,
  say: (line: string) => void,
): Promise<MetHost> {
  const met = await deadlines.within(MEETING_MS, () => meet(host));
  const wait = async (signal: AbortSignal) => met.free?.(AbortSignal.any([signal, stop.soft]), say);
  await deadlines.within(FREE_MS, wait).catch((error: unknown) => {
    throw stop.soft.aborted ? fail('INTERRUPTED', {}, error) : error;
  });
  return met;
}

// Longer than any connection may take to come about; a host that answers and then says nothing is left behind.
const MEETING_MS = 300_000;
// Longer than anything is waited for there.
const FREE_MS = 3_600_000;

async function lookAgain(execution: Execution, node: PlanNode, say: (line: string) => void): Promise<void> {
  const { state, stop, record } = execution;
  if (state.nodes.get(node.id)?.status !== 'flight') return;
  if (stop.soft.aborted) throw fail('INTERRUPTED', {});
  const started = Date.now();
  if ((await runNode(execution, node)) === 'skipped') return record({ type: 'skipped', node: node.id });
  record({ type: 'done', node: node.id, ms: Date.now() - started });
  say(`${node.step.name} was lost, and is done again`);
}
