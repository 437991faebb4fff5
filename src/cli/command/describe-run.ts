import { defineCommand } from '../command.ts';
import { runArgument, runsOptions, runsPlace } from '../options/run-history.ts';

export const describeRun = defineCommand({
  path: 'describe run',
  summary: 'Tell one run: who, when, what, how far, and how to go on',
  description: 'Reads what the run left in .kubexm of the working directory; no host is asked.',
  args: [runArgument],
  options: {
    ...runsOptions,
    output: { type: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', summary: 'how to print it' },
  },
  examples: [
    { command: 'kubexm describe run latest -f cluster.yaml', does: 'What became of the last run?' },
    { command: 'kubexm describe run 20261117-10 -c prod', does: 'The one that began then' },
    { command: "kubexm describe run latest -c prod -o json | jq '.failures'", does: 'For a script' },
  ],
  async run({ args: [id = ''], options, global, console }) {
    const { workdir, cluster } = await runsPlace(options, global);
    const { findRun } = await import('../../runtime/history/find-run.ts');
    const { tellRun } = await import('../../runtime/history/describe-run.ts');
    const story = await tellRun(await findRun(workdir, cluster, id));
    const { storyJson, storyText } = await import('../format/run-text.ts');
    if (options.output === 'json') console.json(storyJson(story));
    else console.print(storyText(story, console.color));
  },
});
