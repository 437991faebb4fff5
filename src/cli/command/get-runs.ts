import type { RunRecord } from '../../runtime/history/read-run.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { runJson, statisticsOf } from '../format/run-json.ts';
import { outcomeText } from '../format/run-text.ts';
import { elapsed, localTime } from '../format/time.ts';
import { textOrJson } from '../options/output.ts';
import { locateRuns, runHistoryOptions } from '../options/run-history.ts';

export const getRuns = defineCommand({
  path: 'get runs',
  summary: 'List the runs on a cluster, newest first',
  description:
    'Reads the records in .kubexm in the working directory; does not connect to any host. The status of a run whose process exited early is died; continue such a run with --resume.',
  options: {
    ...runHistoryOptions,
    output: { ...textOrJson, choices: ['text', 'wide', 'json'] },
  },
  examples: [
    { command: 'kubexm get runs -f cluster.yaml', does: 'List all runs and their outcome' },
    { command: 'kubexm get runs -c prod -o wide', does: 'Include user, version and command line' },
    { command: "kubexm get runs -c prod -o json | jq '.[0].outcome'", does: 'Print the outcome of the last run' },
  ],
  async run({ options, global, console }) {
    const { workdir, cluster } = await locateRuns(options, global);
    const { listRuns } = await import('../../state/runs.ts');
    const { readRun } = await import('../../runtime/history/read-run.ts');
    const runs: RunRecord[] = [];
    for (const id of await listRuns(workdir, cluster)) runs.push(await readRun(workdir, cluster, id));
    if (options.output === 'json') return console.json(runs.map(runJson));
    if (runs.length === 0)
      return console.note(`No runs on ${cluster} yet. Preview the first one: kubexm create cluster -f FILE --dry-run`);
    return printRuns(runs, options.output === 'wide', console);
  },
});

function printRuns(runs: readonly RunRecord[], wide: boolean, console: Console): Promise<void> {
  const head = ['ID', 'COMMAND', 'STARTED', 'TOOK', 'OUTCOME', 'HOSTS', 'DONE', 'FAILED'];
  return console.table(
    wide ? [...head, 'QUARANTINED', 'ROLLED_BACK', 'BY', 'VERSION', 'COMMAND_LINE'] : head,
    runs.map((run) => {
      const { hosts, total, counts, durationMs } = statisticsOf(run);
      const { id, info, pipeline, started, status } = run;
      const row = [
        id,
        info?.command ?? pipeline,
        localTime(started),
        elapsed(durationMs),
        outcomeText(status, console.color),
        String(hosts),
        `${counts.done + counts.skipped}/${total}`,
        String(counts.failed),
      ];
      const more = [String(counts.aside), String(counts.undone), info?.owner, info?.version, info?.line];
      return wide ? [...row, ...more.map((cell) => cell ?? '')] : row;
    }),
  );
}
