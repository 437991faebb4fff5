import { fail, type KubexmError } from '../../common/errors/errors.ts';
import { sanitize } from '../../common/sanitize.ts';
import type { CommandOutcome } from '../../runtime/run/run-command.ts';
import { defineCommand } from '../command.ts';
import { errorRecord } from '../format/error-text.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { inspectOptions, loadSelectedCluster } from '../open-cluster.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { textOrJson } from '../options/output.ts';
import { nodes } from '../options/pipeline.ts';

export const runCommandCommand = defineCommand({
  path: 'run command',
  summary: 'Run a shell command on hosts and show its output',
  description:
    'Runs the command as root on all hosts in parallel and prints output lines as they arrive, prefixed with the host name.\nIf a host is unreachable, the command still runs on the other hosts and exits with 3, or with 11 if no host is reachable.',
  args: [{ name: 'CMD', summary: 'command to run, after --', rest: true }],
  options: {
    ...inspectOptions,
    nodes,
    dryRun,
    asUser: { type: 'flag', summary: 'run as the login user instead of root' },
    output: textOrJson,
  },
  examples: [
    { command: "kubexm run command -f cluster.yaml -- 'uptime'", does: 'Show the load of all hosts' },
    {
      command: "kubexm run command -f cluster.yaml --nodes role:etcd -- 'journalctl -u etcd -n 5'",
      does: 'Show the last log lines of etcd',
    },
    {
      command: "kubexm run command -f cluster.yaml --nodes 'node*' -o json -- 'cat /etc/machine-id'",
      does: 'Print the results as JSON',
    },
  ],
  async run({ args, options, global, console }) {
    const { runCommand } = await import('../../runtime/run/run-command.ts');
    const { cluster, workdir } = await loadSelectedCluster({ options, global });
    if (options.dryRun) {
      const { selectHosts } = await import('../../runtime/session/select-hosts.ts');
      const hosts = selectHosts(cluster, options.nodes).map(({ name }) => name);
      return printDryRun(console, [`run \`${args.join(' ')}\` on ${hosts.join(', ')}`]);
    }
    const json = options.output === 'json';
    const width = Math.max(...cluster.hosts.map(({ name }) => name.length));
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => stop.abort(fail('INTERRUPTED', {})));
    const outcomes = await runCommand(cluster, args.join(' '), {
      nodes: options.nodes,
      workdir,
      root: !options.asUser,
      signal: stop.signal,
      onNewHostKey: showNewHostKeys(console),
      onLine: (host, line, stream) => {
        if (json) return;
        const prefixed = `${console.color.cyan(host.padEnd(width))}  ${sanitize(line)}`;
        if (stream === 'stdout') console.print(prefixed);
        else console.note(prefixed);
      },
    });
    if (json) console.json(outcomes.map(toJson));
    const error = stop.signal.aborted ? fail('INTERRUPTED', {}) : errorOf(outcomes);
    if (error && json) return error.exit;
    if (error) throw error;
    return undefined;
  },
});

const toJson = (outcome: CommandOutcome) =>
  outcome.type === 'ended' ? outcome : { type: outcome.type, host: outcome.host, error: errorRecord(outcome.error) };

/** Returns the error to report. Failed commands take precedence over unreachable hosts. */
function errorOf(outcomes: readonly CommandOutcome[]): KubexmError | undefined {
  const total = outcomes.length;
  const ended = outcomes.filter((outcome) => outcome.type === 'ended');
  const bad = ended.filter(({ exit }) => exit !== 0).map(({ host, exit }) => `${host} (exit ${exit})`);
  const unreached = outcomes.filter((outcome) => outcome.type === 'failed');
  const failed = unreached
    .map(
      ({ host, error: { code, report } }) =>
        `${host}: ${report.title}. ${report.message} (${code})\n  Try ${report.hint}`,
    )
    .join('\n');
  const [only] = unreached;
  if (bad.length > 0) return fail('COMMANDS_FAILED', { failed: bad.join(', '), unreached: failed, total });
  if (only && total === 1) return only.error;
  if (unreached.length === total) return fail('HOSTS_FAILED', { failed, total });
  return unreached.length > 0 ? fail('HOSTS_SET_ASIDE', { failed, total, done: ended.length }) : undefined;
}
