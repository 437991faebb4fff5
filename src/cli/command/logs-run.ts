import type { LogRecord } from '../../engine/event/json-log.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { localTime, took } from '../format/duration.ts';
import { runArgument, runsOptions, runsPlace } from '../options/run-history.ts';

export const logsRun = defineCommand({
  path: 'logs run',
  summary: 'Show what a run did, line by line',
  description:
    'Reads the log of a run; no host is asked. With --follow it goes on until the run ends, also when that run dies.',
  args: [runArgument],
  options: {
    ...runsOptions,
    host: { type: 'list', value: 'NAME', summary: 'only lines of this host; may be repeated' },
    follow: { type: 'flag', summary: 'go on with what comes, until the run ends' },
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'json'],
      default: 'text',
      summary: 'lines for people, or the records as they are',
    },
  },
  examples: [
    { command: 'kubexm logs run latest -f cluster.yaml', does: 'What did the last run do?' },
    { command: 'kubexm logs run latest -c prod --follow', does: 'Watch a run that somebody else began' },
    { command: 'kubexm logs run 20261117-10 -c prod --host node2 -o json', does: 'One host, for a script' },
  ],
  async run({ args: [id = ''], options, global, console }) {
    const { workdir, cluster } = await runsPlace(options, global);
    const { findRun } = await import('../../runtime/history/find-run.ts');
    const { isLive } = await import('../../runtime/history/read-run.ts');
    const { readLog } = await import('../../runtime/history/read-log.ts');
    const run = await findRun(workdir, cluster, id);
    const hosts = options.host.flatMap((names) => names.split(','));
    const live = options.follow ? () => isLive(workdir, cluster, run.id) : undefined;
    for await (const record of readLog(run.paths.log, live)) {
      if (hosts.length > 0 && !hosts.includes(record.node ?? '')) continue;
      console.print(options.output === 'json' ? JSON.stringify(record) : recordText(record, console.color));
    }
    if (options.output === 'json') return;
    const { status, info } = await findRun(workdir, cluster, run.id);
    if (status === 'died')
      console.note(`This run died. Go on with it: ${info?.goOn ?? 'the same command with --resume'}`, 'warning');
    if (status === 'running') console.note(`It is still under way: kubexm logs run ${run.id} --follow`, 'note');
  },
});

function recordText(record: LogRecord, color: Console['color']): string {
  const { timestamp, node, step, message, duration_ms: ms, event, level } = record;
  const time = color.dim(localTime(new Date(timestamp)).slice(11));
  const paint = { debug: color.dim, info: (text: string) => text, warn: color.yellow, error: color.red }[level];
  const where = [node && color.cyan(node), step].filter(Boolean).join('  ');
  const taken = ms !== undefined && event !== 'skipped' ? ` (${took(ms)})` : '';
  const [first = '', ...more] = message.split('\n');
  const lines = [paint(`${first}${taken}`), ...more.map((line) => paint(`            ${line}`))].join('\n');
  return `${time}  ${where && `${where}  `}${lines}`;
}
