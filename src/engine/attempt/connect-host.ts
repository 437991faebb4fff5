import { fail } from '../../common/errors/errors.ts';
import type { PlanNode } from '../../plan/graph.ts';
import type { Execution, Run } from '../execution.ts';
import { countChange, type ConnectedHost, type HostState } from '../host-state.ts';
import { runNode } from './run-node.ts';

/**
 * Connects to a host before its first step. After a reboot, verifies the completed steps in order and repeats lost
 * changes. Returns undefined if the host is already connected, which is the normal case.
 */
export function ensureReady(execution: Execution, node: PlanNode): Promise<void> | undefined {
  const host = execution.progress.hostState(node.host);
  if (isReady(execution, node)) return undefined;
  host.preparing ??= prepare(execution, node, host).finally(() => (host.preparing = undefined));
  return host.preparing;
}

/** Returns whether the host is connected and has not rebooted since. */
export function isReady(execution: Execution, node: PlanNode): boolean {
  const { connected, needsRecheck } = execution.progress.hostState(node.host);
  return connected !== undefined && !needsRecheck && !hasRebooted(execution, node);
}

/** Returns whether the boot ID of the host differs from the one in the journal. */
export function hasRebooted({ progress: { state, hostState } }: Execution, { host }: PlanNode): boolean {
  const boot = hostState(host).connected?.bootId();
  return boot !== undefined && boot !== state.boots.get(host.name);
}

async function prepare(execution: Execution, node: PlanNode, host: HostState): Promise<void> {
  const { run, progress } = execution;
  const { name } = node.host;
  const say = (line: string) => run.report({ type: 'said', run: run.info, node, at: Date.now(), line });
  host.connected ??= await connectIdle(run, node, say);
  const boot = host.connected.bootId();
  const known = progress.state.boots.get(name);
  // Recorded immediately, so that neither this run nor a resumed run relies on steps completed before the reboot.
  if (boot !== undefined && boot !== known) {
    progress.record({ type: 'host', host: name, boot });
    host.needsRecheck = known !== undefined;
  }
  if (!host.needsRecheck) return;
  run.report({ type: 'restarted', run: run.info, node, at: Date.now() });
  countChange(host);
  host.checkedAhead.clear();
  for (const completed of host.completed) await recheck(execution, completed, say);
  host.needsRecheck = false;
}

/** Waits until no process of an earlier run is running on the host. The first interruption ends the wait. */
async function connectIdle(
  { deadlines, connect, stop }: Run,
  { host }: PlanNode,
  say: (line: string) => void,
): Promise<ConnectedHost> {
  const connected = await deadlines.within(CONNECT_MS, () => connect(host));
  const wait = async (signal: AbortSignal) => connected.idle?.(AbortSignal.any([signal, stop.soft]), say);
  await deadlines.within(IDLE_MS, wait).catch((error: unknown) => {
    throw stop.soft.aborted ? fail('INTERRUPTED', {}, error) : error;
  });
  return connected;
}

// Longer than any connection attempt. A host that accepts the connection and then hangs is abandoned after this time.
const CONNECT_MS = 300_000;
// Longer than any wait for an earlier run.
const IDLE_MS = 3_600_000;

async function recheck(execution: Execution, node: PlanNode, say: (line: string) => void): Promise<void> {
  const { run, progress } = execution;
  if (progress.state.nodes.get(node.id)?.status !== 'flight') return;
  if (run.stop.soft.aborted) throw fail('INTERRUPTED', {});
  const started = Date.now();
  if ((await runNode(execution, node)) === 'skipped') return progress.record({ type: 'skipped', node: node.id });
  progress.record({ type: 'done', node: node.id, ms: Date.now() - started });
  say(`${node.step.name} was lost in the reboot and was done again`);
}
