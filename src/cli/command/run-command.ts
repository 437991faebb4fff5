import { fail, type KubexmError } from '../../common/errors/errors.ts';
import type { CommandOutcome } from '../../runtime/run/run-command.ts';
import { clusterOptions, loginOptions, placeOf } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { errorRecord } from '../format/error-text.ts';

export const runCommandCommand = defineCommand({
  path: 'run command',
  summary: 'Run a command on hosts and show what they say',
  description:
    'Runs a shell command on hosts of a cluster at once, as root, and prints their lines as they come, each with the name of its host.\nA host that cannot be reached keeps no other from running; then the exit code is 3, or 11 when none could be reached.',
  args: [{ name: 'CMD', summary: 'the command, after --', rest: true }],
  options: {
    ...clusterOptions,
    ...loginOptions,
    nodes: {
      type: 'list',
      value: 'HOSTS',
      summary: 'names, globs or role:master, with commas or repeated; all if not given',
    },
    dryRun,
    asUser: { type: 'flag', summary: 'as the user that logs in, not as root' },
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'json'],
      default: 'text',
      summary: 'live lines, or all of it as JSON',
    },
  },
  examples: [
    { command: "kubexm run command -f cluster.yaml -- 'uptime'", does: 'How are all hosts?' },
    {
      command: "kubexm run command -f cluster.yaml --nodes role:etcd -- 'journalctl -u etcd -n 5'",
      does: 'The last lines of etcd',
    },
    {
      command: "kubexm run command -f cluster.yaml --nodes 'node*' -o json -- 'cat /etc/machine-id'",
      does: 'For a script',
    },
  ],
  async run({ args, options, global, console }) {
    const { file, workdir } = await placeOf(options, global);
    const { loadCluster } = await import('../../config/load/load.ts');
    const { withLogin } = await import('../../config/model/with-login.ts');
    const { runCommand } = await import('../../runtime/run/run-command.ts');
    const cluster = withLogin(await loadCluster(file, { overrides: options.extraVars }), options);
    if (options.dryRun) {
      const { selectHosts } = await import('../../runtime/session/select-hosts.ts');
      const hosts = selectHosts(cluster, options.nodes).map(({ name }) => name);
      return printDryRun(console, [`run \`${args.join(' ')}\` on ${hosts.join(', ')}`]);
    }
    const json = options.output === 'json';
    const width = Math.max(...cluster.hosts.map(({ name }) => name.length));
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort(fail('INTERRUPTED', {})));
    const outcomes = await runCommand(cluster, args.join(' '), {
      nodes: options.nodes,
      workdir,
      root: !options.asUser,
      signal: stop.signal,
      onLine: (host, line, stream) => {
        if (json) return;
        const prefixed = `${console.color.cyan(host.padEnd(width))}  ${line}`;
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

/** What the exit code and the last lines say: commands that failed first, then hosts that could not be asked. */
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
