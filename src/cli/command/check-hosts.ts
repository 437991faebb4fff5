import { EXIT } from '../../common/errors/exit-codes.ts';
import type { HostFinding } from '../../runtime/run/check-hosts.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { count } from '../format/text.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { inspectOptions } from '../open-cluster.ts';
import { locateCluster } from '../options/cluster.ts';
import { textOrJson } from '../options/output.ts';
import { nodes } from '../options/pipeline.ts';

export const checkHostsCommand = defineCommand({
  path: 'check hosts',
  summary: 'Check whether the hosts are ready for installation',
  description:
    'Reports every problem that would make an installation fail, with a command to fix it. Checks all hosts in parallel.\nDoes not change the hosts. To test connectivity, the hosts listen on the cluster ports for a few seconds.\nExits with 0 if there are no errors, otherwise with 10.',
  options: {
    ...inspectOptions,
    nodes,
    ignore: { type: 'list', value: 'IDS', summary: 'report errors from these checks as warnings, e.g. PF3,PF9' },
    output: textOrJson,
  },
  examples: [
    { command: 'kubexm check hosts -f cluster.yaml', does: 'Check all hosts' },
    {
      command: 'kubexm check hosts -f cluster.yaml --nodes role:master --ignore PF3',
      does: 'Check only the masters, ignoring CPU and memory',
    },
    { command: 'kubexm check hosts -f cluster.yaml -o json', does: 'Print the findings as JSON' },
  ],
  async run({ options, global, console }) {
    const { loadChecked } = await import('../../config/load/load.ts');
    const { withLogin } = await import('../../config/model/with-login.ts');
    const { checkHosts, checkIds } = await import('../../runtime/run/check-hosts.ts');
    const { openSession } = await import('../../runtime/session/session.ts');
    const { listenForInterrupts } = await import('../interrupts.ts');
    const ignore = checkIds(options.ignore);
    const { file, workdir } = await locateCluster(options, global);
    const { cluster: loaded, diagnostics } = await loadChecked(file, { overrides: options.extraVars });
    const cluster = withLogin(loaded, options);
    using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
    await using session = await openSession(cluster, workdir, showNewHostKeys(console));
    console.progress({ task: `Checking ${count(cluster.hosts.length, 'host')}` });
    const findings = await checkHosts(session, {
      nodes: options.nodes,
      ignore,
      lint: diagnostics,
      stop: interrupts.stop,
    });
    const ok = findings.every(({ severity }) => severity !== 'error');
    if (options.output === 'json') console.json({ cluster: cluster.name, ok, findings });
    else await printFindings(findings, ok, console);
    return ok ? EXIT.ok : EXIT.config;
  },
});

async function printFindings(findings: readonly HostFinding[], ok: boolean, console: Console): Promise<void> {
  const { checkText } = await import('../../runtime/run/check-hosts.ts');
  const { color } = console;
  const paints = { error: color.red, warning: color.yellow, note: color.cyan };
  const columns = Math.min(process.stdout.columns ?? 100, 120);
  const text = checkText(findings, columns, { severity: (word, severity) => paints[severity](word), label: color.dim });
  if (findings.length > 0) console.print(`${text.findings}\n`);
  console.print(
    ok
      ? `${color.green('✓')} The hosts are ready for installation: ${text.summary}.`
      : `${color.red('x')} The hosts are not ready for installation: ${text.summary}.`,
  );
}
