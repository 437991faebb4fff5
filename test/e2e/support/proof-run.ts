import { readFileSync } from 'node:fs';
import pc from 'picocolors';
import { resultText } from '../../../src/cli/run/result-text.ts';
import { viewOn } from '../../../src/cli/run/view.ts';
import { KubexmError } from '../../../src/common/errors.ts';
import { masked, Secret } from '../../../src/common/secret.ts';
import { loadCluster } from '../../../src/config/load.ts';
import { createStop } from '../../../src/engine/stop.ts';
import { createSummary } from '../../../src/engine/summary.ts';
import type { ExecutionGraph } from '../../../src/plan/graph.ts';
import { previewPlan } from '../../../src/runtime/preview-plan.ts';
import { runPlan } from '../../../src/runtime/run-plan.ts';
import { openSession, type Session } from '../../../src/runtime/session.ts';
import { killAt } from './kill-at.ts';
import { proofPlan } from './proof-plan.ts';
import type { ProofRun } from './proof-program.ts';

/** A run of the plan of the proof in a process of its own. Its argument is a `ProofRun`; it prints how it ended. */
const run: ProofRun = JSON.parse(process.argv[2] ?? '{}');
if (run.kill) await killAt(run.kill);
try {
  await using session = await openSession(await loadCluster(run.file), run.workdir);
  const secret = run.secretFile === undefined ? undefined : new Secret(readFileSync(run.secretFile, 'utf8'));
  const graph = proofPlan(session.hosts.all, run, secret);
  process.exitCode = run.preview ? await show(session, graph) : await runAll(session, graph);
} catch (error) {
  process.stderr.write(masked(String(error)));
  process.exitCode = error instanceof KubexmError ? error.exit : 1;
}

async function show(session: Session, graph: ExecutionGraph): Promise<number> {
  const { preview } = await previewPlan(session, graph, createStop());
  process.stdout.write(JSON.stringify(preview.nodes.map(({ node: { id }, changes }) => ({ id, changes }))));
  return 0;
}

async function runAll(session: Session, graph: ExecutionGraph): Promise<number> {
  const summary = createSummary();
  const view = { verbose: true, json: run.view === 'json', color: pc.createColors(false), redact: masked };
  const result = await runPlan(session, graph, {
    workdir: run.workdir,
    command: 'create cluster',
    goOn: 'kubexm create cluster --resume',
    resume: run.resume ?? false,
    rollback: run.rollback ?? true,
    subscribers: run.view ? [viewOn(process.stderr, view).subscriber, summary.subscriber] : [],
    stop: createStop(),
  });
  if (run.view) process.stderr.write(masked(resultText(result, summary, view.color)));
  const { outcome, counts, rollback, error } = result;
  const { undone, notUndone } = rollback;
  process.stdout.write(
    JSON.stringify({ outcome, counts, undone, notUndone, error: error instanceof Error ? error.message : '' }),
  );
  return result.exit;
}
