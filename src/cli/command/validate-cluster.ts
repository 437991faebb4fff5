import { KubexmError } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { ROLES } from '../../common/host.ts';
import type { Checked } from '../../config/load/check.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { errorRecord } from '../format/error-text.ts';
import { clusterOptions, locateCluster } from '../options/cluster.ts';

export const validateCluster = defineCommand({
  path: 'validate cluster',
  summary: 'Check a cluster file',
  description:
    'Reports all problems at once, with file:line:col, path, value and allowed values.\nDoes not connect to any host. Exits with 0 if there are no errors, otherwise with 10.',
  options: {
    ...clusterOptions,
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'json', 'yaml'],
      default: 'text',
      summary: 'output format; yaml prints the cluster file with all defaults',
    },
  },
  examples: [
    { command: 'kubexm validate cluster -f cluster.yaml', does: 'Check a cluster file' },
    {
      command: 'kubexm validate cluster -f cluster.yaml -e kubernetes.version=v1.36.3',
      does: 'Check a cluster file with another Kubernetes version',
    },
    { command: 'kubexm validate cluster -f cluster.yaml -o yaml', does: 'Print a cluster file with all defaults' },
  ],
  async run({ options, global, console }) {
    const { file } = await locateCluster(options, global);
    const { checkClusterFile, configInvalid } = await import('../../config/load/load.ts');
    const checking = checkClusterFile(file, { overrides: options.extraVars });
    if (options.output === 'json') return printJson(file, checking, console);
    const { cluster, file: withDefaults, diagnostics } = await checking;
    const { formatDiagnostic } = await import('../../config/diagnostic/diagnostic.ts');
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== 'error') console.note(formatDiagnostic(diagnostic), diagnostic.severity);
    }
    if (!cluster || !withDefaults) throw configInvalid(file, diagnostics);
    if (options.output === 'yaml') {
      const { printClusterFile } = await import('../../config/draft/print.ts');
      console.print(printClusterFile(withDefaults).trimEnd());
    } else {
      console.print(`${console.color.green('✓')} ${file} is valid\n\n${clusterSummary(cluster)}`);
    }
    return EXIT.ok;
  },
});

function clusterSummary({ name, hosts, kubernetes, etcd, network }: Cluster): string {
  const roles = ROLES.map((role) => ({ role, count: hosts.filter((host) => host.roles.includes(role)).length }))
    .filter(({ count }) => count > 0)
    .map(({ role, count }) => `${count} ${role}`);
  const components = [kubernetes.containerRuntime.type, network.plugin.type, `etcd (${etcd.type})`];
  return [
    `  Cluster     ${name}`,
    `  Hosts       ${hosts.length} (${roles.join(', ')})`,
    `  Kubernetes  ${kubernetes.version} (${kubernetes.type}), ${components.join(', ')}`,
  ].join('\n');
}

/** Prints JSON even if the cluster file cannot be read. */
async function printJson(file: string, checking: Promise<Checked>, console: Console): Promise<number> {
  try {
    const { cluster, diagnostics } = await checking;
    console.json({ file, valid: cluster !== undefined, diagnostics });
    return cluster ? EXIT.ok : EXIT.config;
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    console.json({ file, valid: false, diagnostics: [], error: errorRecord(error) });
    return error.exit;
  }
}
