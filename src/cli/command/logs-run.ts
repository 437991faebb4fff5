import type { LogRecord } from '../../engine/event/json-log.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { elapsed, localTime } from '../format/time.ts';
import { textOrJson } from '../options/output.ts';
import { locateRuns, runArgument, runHistoryOptions } from '../options/run-history.ts';

export const logsRun = defineCommand({
  path: 'logs run',
  summary: 'Show the log of a run',
  description:
    'Reads the log file of the run; does not connect to any host. With --follow, prints new lines until the run ends or its process dies.',
  args: [runArgument],
  options: {
    ...runHistoryOptions,
    host: { type: 'list', value: 'NAME', summary: 'only lines from this host (repeatable)' },
    follow: { type: 'flag', summary: 'print new lines until the run ends' },
    output: textOrJson,
  },
  examples: [
    { command: 'kubexm logs run latest -f cluster.yaml', does: 'Show the log of the last run' },
    { command: 'kubexm logs run latest -c prod --follow', does: 'Follow a run that is in progress' },
    {
      command: 'kubexm logs run 20261117-10 -c prod --host node2 -o json',
      does: 'Print the records of one host as JSON',
    },
  ],
  async run({ args: [id = ''], options, global, console }) {
    const { workdir, cluster } = await locateRuns(options, global);
    const { findRun } = await import('../../runtime/history/find-run.ts');
    const { isRunning } = await import('../../runtime/history/read-run.ts');
    const { readLog } = await import('../../runtime/history/read-log.ts');
    const run = await findRun(workdir, cluster, id);
    const hosts = options.host.flatMap((names) => names.split(','));
    const live = options.follow ? () => isRunning(workdir, cluster, run.id) : undefined;
    for await (const record of readLog(run.paths.log, live)) {
      if (hosts.length > 0 && !hosts.includes(record.node ?? '')) continue;
      console.print(options.output === 'json' ? JSON.stringify(record) : recordText(record, console.color));
    }
    if (options.output === 'json') return;
    const { status, info } = await findRun(workdir, cluster, run.id);
    if (status === 'died')
      console.note(`This run died. Resume it: ${info?.goOn ?? 'run the same command with --resume'}`, 'warning');
    if (status === 'running')
      console.note(`The run is still in progress. Follow it: kubexm logs run ${run.id} --follow`, 'note');
  },
});

function recordText(record: LogRecord, color: Console['color']): string {
  const { timestamp, node, step, message, duration_ms: ms, event, level } = record;
  const time = color.dim(localTime(new Date(timestamp)).slice(11));
  const paint = { debug: color.dim, info: (text: string) => text, warn: color.yellow, error: color.red }[level];
  const where = [node && color.cyan(node), step].filter(Boolean).join('  ');
  const taken = ms !== undefined && event !== 'skipped' ? ` (${elapsed(ms)})` : '';
  const [first = '', ...more] = message.split('\n');
  const lines = [paint(`${first}${taken}`), ...more.map((line) => paint(`            ${line}`))].join('\n');
  return `${time}  ${where && `${where}  `}${lines}`;
}
