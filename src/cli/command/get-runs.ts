import type { RunRecord } from '../../runtime/history/read-run.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { localTime, took } from '../format/duration.ts';
import { runsOptions, runsPlace } from '../options/run-history.ts';
import { outcomeText } from '../format/run-outcome.ts';
import { numbersOf, runJson } from '../format/run-json.ts';

export const getRuns = defineCommand({
  path: 'get runs',
  summary: 'List what was run on a cluster, the newest first',
  description:
    'Reads what runs left in .kubexm of the working directory; no host is asked. A run that is neither ended nor alive died, and can be gone on with by --resume.',
  options: {
    ...runsOptions,
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'wide', 'json'],
      default: 'text',
      summary: 'how to print it',
    },
  },
  examples: [
    { command: 'kubexm get runs -f cluster.yaml', does: 'What was run, and how did it end?' },
    { command: 'kubexm get runs -c prod -o wide', does: 'By whom, and with which command line?' },
    { command: "kubexm get runs -c prod -o json | jq '.[0].outcome'", does: 'For a script' },
  ],
  async run({ options, global, console }) {
    const { workdir, cluster } = await runsPlace(options, global);
    const { runsOf } = await import('../../state/runs.ts');
    const { readRun } = await import('../../runtime/history/read-run.ts');
    const runs: RunRecord[] = [];
    for (const id of await runsOf(workdir, cluster)) runs.push(await readRun(workdir, cluster, id));
    if (options.output === 'json') return console.json(runs.map(runJson));
    if (runs.length === 0)
      return console.note(
        `Nothing was run on ${cluster} yet. Look what would be done: kubexm create cluster --dry-run`,
      );
    return printRuns(runs, options.output === 'wide', console);
  },
});

function printRuns(runs: readonly RunRecord[], wide: boolean, console: Console): Promise<void> {
  const head = ['ID', 'COMMAND', 'STARTED', 'TOOK', 'OUTCOME', 'HOSTS', 'DONE', 'FAILED'];
  return console.table(
    wide ? [...head, 'ASIDE', 'UNDONE', 'BY', 'VERSION', 'LINE'] : head,
    runs.map((run) => {
      const { hosts, total, counts, durationMs } = numbersOf(run);
      const { id, info, pipeline, started, status } = run;
      const row = [
        id,
        info?.command ?? pipeline,
        localTime(started),
        took(durationMs),
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
