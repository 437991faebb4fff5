import { defineCommand } from '../command.ts';
import { textOrJson } from '../options/output.ts';
import { locateRuns, runArgument, runHistoryOptions } from '../options/run-history.ts';

export const describeRun = defineCommand({
  path: 'describe run',
  summary: 'Show run details',
  description:
    'Shows the command, user, progress and failures of a run, and how to resume it. Reads the records in .kubexm in the working directory; does not connect to any host.',
  args: [runArgument],
  options: { ...runHistoryOptions, output: textOrJson },
  examples: [
    { command: 'kubexm describe run latest -f cluster.yaml', does: 'Show the last run' },
    { command: 'kubexm describe run 20261117-10 -c prod', does: 'Show a run by the beginning of its ID' },
    { command: "kubexm describe run latest -c prod -o json | jq '.failures'", does: 'Print the failures as JSON' },
  ],
  async run({ args: [id = ''], options, global, console }) {
    const { workdir, cluster } = await locateRuns(options, global);
    const { findRun } = await import('../../runtime/history/find-run.ts');
    const { describeRun: describe } = await import('../../runtime/history/describe-run.ts');
    const description = await describe(await findRun(workdir, cluster, id));
    const { runDescriptionJson, runDescriptionText } = await import('../format/run-text.ts');
    if (options.output === 'json') console.json(runDescriptionJson(description));
    else console.print(runDescriptionText(description, console.color));
  },
});
