import { readFileSync } from 'node:fs';
import { defineCommand } from '../../../src/cli/command.ts';
import { createConsole } from '../../../src/cli/console.ts';
import { createProgram } from '../../../src/cli/program/program.ts';
import { pipelineOptions } from '../../../src/cli/options/pipeline.ts';
import { runPipeline } from '../../../src/cli/execute/run-pipeline.ts';
import { fail, KubexmError } from '../../../src/common/errors/errors.ts';
import { Secret } from '../../../src/common/secret.ts';
import { killAt } from './kill-at.ts';
import { proofPipeline } from './proof-plan.ts';
import type { ProofRun } from './proof-program.ts';

/** The proof plan as a kubexm command, run in a separate process. The argument is a `ProofRun` as JSON. */
const run: ProofRun = JSON.parse(process.argv[2] ?? '{}');
if (run.kill) await killAt(run.kill);
const secret = run.secretFile === undefined ? undefined : new Secret(readFileSync(run.secretFile, 'utf8'));
const pipeline = proofPipeline(run, secret);
const command = defineCommand({
  path: pipeline.command,
  summary: 'Run the proof plan',
  options: pipelineOptions,
  examples: [],
  run: (call) => runPipeline(call, () => ({ pipeline })),
});
const argv = [...pipeline.command.split(' '), '-f', run.file, '--workdir', run.workdir, ...(run.flags ?? [])];
process.argv.splice(2, Infinity, ...argv);
const console = createConsole({ color: false, json: argv.includes('--log-format=json'), verbose: false });
try {
  process.exitCode = await createProgram([command], console).call(argv);
} catch (error) {
  const known = error instanceof KubexmError ? error : fail('INTERNAL', { message: String(error) }, error);
  console.error(known);
  process.exitCode = known.exit;
}
