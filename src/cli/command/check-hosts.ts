import { EXIT } from '../../common/errors/exit-codes.ts';
import { masked } from '../../common/secret.ts';
import type { HostFinding } from '../../runtime/run/check-hosts.ts';
import { clusterOptions, loginOptions, placeOf } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';

export const checkHostsCommand = defineCommand({
  path: 'check hosts',
  summary: 'Find what would make an installation fail; nothing is changed',
  description:
    'Looks at all hosts at once and tells everything that would make an installation fail, with what to paste to mend it.\nNothing is changed: for some seconds the hosts listen on the ports of the cluster and call each other there.\nEnds with 0 when there is no error, with 10 when there is one.',
  options: {
    ...clusterOptions,
    ...loginOptions,
    nodes: {
      type: 'list',
      value: 'HOSTS',
      summary: 'only these: names, globs or role:master, with commas or repeated',
    },
    ignore: { type: 'list', value: 'IDS', summary: 'errors of these checks are warnings: PF3,PF9' },
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'json'],
      default: 'text',
      summary: 'for people, or for a script',
    },
  },
  examples: [
    { command: 'kubexm check hosts -f cluster.yaml', does: 'Are the hosts fit?' },
    {
      command: 'kubexm check hosts -f cluster.yaml --nodes role:master --ignore PF3',
      does: 'The masters, small as they are',
    },
    { command: 'kubexm check hosts -f cluster.yaml -o json', does: 'For a script' },
  ],
  async run({ options, global, console }) {
    const { loadChecked } = await import('../../config/load/load.ts');
    const { withLogin } = await import('../../config/model/with-login.ts');
    const { checkHosts, checkIds } = await import('../../runtime/run/check-hosts.ts');
    const { openSession } = await import('../../runtime/session/session.ts');
    const { listenForInterrupts } = await import('../interrupts.ts');
    const ignore = checkIds(options.ignore);
    const { file, workdir } = await placeOf(options, global);
    const { cluster: told, diagnostics } = await loadChecked(file, { overrides: options.extraVars });
    const cluster = withLogin(told, options);
    using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
    await using session = await openSession(cluster, workdir);
    console.progress({ task: `Looking at ${cluster.hosts.length} hosts` });
    const findings = await checkHosts(session, {
      nodes: options.nodes,
      ignore,
      lint: diagnostics,
      stop: interrupts.stop,
    });
    if (options.output === 'json')
      console.json({ cluster: cluster.name, ok: isFine(findings), findings: findings.map(maskedFinding) });
    else await print(findings, console);
    return isFine(findings) ? EXIT.ok : EXIT.config;
  },
});

type Findings = readonly HostFinding[];

const isFine = (findings: Findings) => findings.every(({ severity }) => severity !== 'error');

const maskedFinding = (finding: HostFinding) => ({
  ...finding,
  found: masked(finding.found),
  fix: masked(finding.fix),
});

async function print(findings: Findings, console: Console): Promise<void> {
  const { checkText } = await import('../../runtime/run/check-hosts.ts');
  const { color } = console;
  const paints = { error: color.red, warning: color.yellow, note: color.cyan };
  const columns = Math.min(process.stdout.columns ?? 100, 120);
  const text = checkText(findings, columns, { severity: (word, severity) => paints[severity](word), label: color.dim });
  if (findings.length > 0) console.print(`${masked(text.findings)}\n`);
  console.print(
    isFine(findings)
      ? `${color.green('✓')} The hosts are fit: ${text.summary}.`
      : `${color.red('x')} The hosts are not fit: ${text.summary}.`,
  );
}
