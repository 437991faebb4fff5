import { EXIT } from '../common/errors/exit-codes.ts';
import { KubexmError } from '../common/errors/errors.ts';
import { nodesOf, type ExecutionGraph, type PlanNode } from '../plan/graph.ts';
import type { ContextFor } from './execution.ts';
import { createDeadlines } from './attempt/deadlines.ts';
import { schedule, type Limits } from './schedule/schedule.ts';
import { createStop, type Stop } from './stop.ts';

/** A change that a part of a step would make, and the reason. */
export interface PlannedChange {
  readonly summary: string;
  readonly because: string;
  readonly diff?: string;
}

/** The changes that a step would make on a host, or the reason why they are `unknown` until the step runs. */
export interface NodePreview {
  readonly node: PlanNode;
  readonly changes: readonly PlannedChange[];
  readonly unknown?: string;
}

/** The result of a dry run. */
export interface Preview {
  readonly nodes: readonly NodePreview[];
  readonly unreachable: readonly { readonly host: string; readonly error: unknown }[];
}

/** Options for previewing a plan. */
export interface PreviewOptions {
  readonly contextFor: ContextFor;
  readonly limits?: Partial<Limits>;
  readonly stop?: Stop;
}

/** Checks every step without running it, so that steps do not need their own dry-run mode. */
export async function preview(graph: ExecutionGraph, options: PreviewOptions): Promise<Preview> {
  const { contextFor, stop = createStop() } = options;
  const deadlines = createDeadlines(stop, 1000);
  const found = new Map<PlanNode, NodePreview>();
  const unreachable = new Map<string, unknown>();
  // A preview changes nothing, so only steps that need a value from another step have to wait.
  const vertices = graph.vertices.map((vertex) =>
    vertex.type === 'node' && vertex.step.needs.length === 0 ? { ...vertex, after: [] } : vertex,
  );
  await schedule(
    vertices,
    { total: 1000, perHost: 8, ...options.limits },
    {
      decide: ({ host }) => (unreachable.has(host.name) || stop.soft.aborted ? 'skipped' : undefined),
      run: async (node) => {
        try {
          const check = async (signal: AbortSignal) => previewNode(node, await contextFor(node, signal, () => {}));
          found.set(node, await deadlines.within(node.step.timeoutMs, check));
        } catch (error) {
          if (isConnection(error)) unreachable.set(node.host.name, error);
          // The result of an earlier step may be missing.
          else found.set(node, { node, changes: [], unknown: error instanceof Error ? error.message : String(error) });
        }
        return 'done';
      },
    },
  );
  return {
    nodes: nodesOf({ ...graph, vertices }).flatMap((node) => found.get(node) ?? []),
    unreachable: [...unreachable].map(([host, error]) => ({ host, error })),
  };
}

/** Returns whether the error means that the host of the step is unreachable. HOST_NOT_READY is about another host. */
const isConnection = (error: unknown) =>
  error instanceof KubexmError &&
  (error.exit === EXIT.connection || error.code === 'STEP_TIMED_OUT') &&
  error.code !== 'HOST_NOT_READY';

async function previewNode(node: PlanNode, ctx: Awaited<ReturnType<ContextFor>>): Promise<NodePreview> {
  const missing = node.step.needs.find((key) => ctx.cache.get(key) === undefined);
  if (missing) return { node, changes: [], unknown: `needs ${missing.name}, which an earlier step provides` };
  const parts = node.step.parts(ctx);
  const findings = await Promise.all(parts.map((part) => part.precheck(ctx)));
  const changes = findings.flatMap((finding, index) => {
    if (finding.done) return [];
    const { because, diff } = finding;
    return [{ summary: parts[index]!.summary, because, ...(diff !== undefined && { diff }) }];
  });
  return { node, changes };
}
